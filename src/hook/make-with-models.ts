import { makeHandler } from "../handlers/handler-types.ts";
import type { MakeHandler } from "../handlers/ready-hook.ts";
import { judgePorts } from "../judges.ts";

/** Makes a handler that needs models, MCP servers or rules as they are written. */
export const makeWithModels: MakeHandler = (type, settings, context) => {
  const ports = { ...context.ports, ...judgePorts(context.ports.environment) };
  return makeHandler(type, settings, { ...context, ports });
};
