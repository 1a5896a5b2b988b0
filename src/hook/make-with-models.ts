import type { JudgeAgentRequest } from "../core/contracts/judge.ts";
import { makeHandler } from "../handlers/handler-types.ts";
import type { MakeHandler } from "../handlers/ready-hook.ts";
import { lazyJudges } from "../models/lazy-judges.ts";

/** Makes a handler that needs models, MCP servers or rules as they are written. */
export const makeWithModels: MakeHandler = (type, settings, context) => {
  const { environment } = context.ports;
  const ports = {
    ...context.ports,
    judges: lazyJudges({ environment }),
    judgeAgent: async (request: JudgeAgentRequest) => (await import("../agent.ts")).judgeWithAgent(request),
  };
  return makeHandler(type, settings, { ...context, ports });
};
