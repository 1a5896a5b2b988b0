import { atPlace, isTenterhookError } from "../core/base/errors.ts";
import { isRecord } from "../core/base/json.ts";
import { field, schemas } from "../core/base/schemas.ts";
import type { Handler } from "../core/ports.ts";
import { checkHandler, type HandlerTypeName, handlerTypeOf } from "../core/registration/handler-types.ts";
import { compileInlineRules } from "../rules/rules.ts";
import { EXTERNAL_MAKERS, type Make } from "./external-makers.ts";
import type { HandlerContext, HandlerSettings, SharedSettings } from "./handler.ts";
import { inlineHandler } from "./inline.ts";
import { unknownType } from "./ready-hook.ts";

/** How a handler of each type is made. What its type does not need is not loaded. */
const MAKERS: { readonly [Name in HandlerTypeName]: Make<Name> } = {
  ...EXTERNAL_MAKERS,
  inline: async (settings, { events, ports }) =>
    inlineHandler(await compileInlineRules({ ...settings }, ports.rules), events),
  llm: async (settings, context) => (await import("./judge/llm.ts")).llmHandler(settings, context),
  agent: async (settings, context) => (await import("./judge/agent.ts")).agentHandler(settings, context),
  mcp: async (settings, context) => (await import("./mcp/mcp.ts")).mcpHandler(settings, context),
  all: async (settings, context) => composition("all", settings.all, settings, context),
  any: async (settings, context) => composition("any", settings.any, settings, context),
  first: async (settings, context) => composition("first", settings.first, settings, context),
};

async function composition(
  type: "all" | "any" | "first",
  parts: readonly unknown[],
  shared: SharedSettings,
  context: HandlerContext,
): Promise<Handler> {
  const { compositionHandler } = await import("./composition/composition.ts");
  const { name, on_failure } = shared;
  const inherited = { name, on_failure };
  return compositionHandler(type, parts, on_failure, (part, label) =>
    makePart(part, label, inherited, context),
  );
}

/** Makes the handler of a definition that was checked. */
export function makeHandler<Name extends HandlerTypeName>(
  type: Name,
  settings: HandlerSettings<Name>,
  context: HandlerContext,
): Promise<Handler> {
  return MAKERS[type](settings, context);
}

const PART_KEYS = { type: field(schemas.anything, "The type of the handler.") };

async function makePart(
  part: unknown,
  number: string,
  shared: SharedSettings,
  context: HandlerContext,
): Promise<Handler> {
  const type = isRecord(part) ? handlerTypeOf(part) : undefined;
  if (!isRecord(part) || type === undefined) throw unknownType(number, isRecord(part) ? part.type : part);
  const label = `${number} (${type})`;
  checkHandler(part, type, PART_KEYS, label);
  try {
    return await makeHandler(type, { ...part, ...shared }, context);
  } catch (error) {
    throw isTenterhookError(error) ? atPlace(error, label) : error;
  }
}
