import type { DefinitionSite } from "../core/contracts/definition-site.ts";
import type { JudgeAgent, Judges } from "../core/contracts/judge.ts";
import type { Handler } from "../core/ports.ts";
import type { RulePorts } from "../rules/fields/subject.ts";
import { compileInlineRules } from "../rules/rules.ts";
import { inlineHandler } from "./inline.ts";

/** What a definition says for its handler; which keys, the row knows. */
export type HandlerSettings = Readonly<Record<string, unknown>> & { readonly name: string };

/** What handlers need from outside. */
export interface HandlerPorts {
  readonly rules: RulePorts;
  /** The variables of this process; what of them a handler hands on is for it to filter. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Models that give verdicts; without them llm hooks fail as `missing`. */
  readonly judges?: Judges;
  /** An agent that gives verdicts; without it agent hooks fail as `missing`. */
  readonly judgeAgent?: JudgeAgent;
}

/** What goes for the whole hook of which a handler is made. */
export interface HandlerSetting {
  readonly events: readonly string[];
  readonly site: DefinitionSite;
  readonly ports: HandlerPorts;
}

/** A way to decide that a definition can name. */
export interface HandlerType {
  /** The keys a definition of this type has, beside those every hook has. */
  readonly keys: readonly string[];
  /** Makes the handler; throws a TenterhookError for anything that can't work as written. */
  make(settings: HandlerSettings, setting: HandlerSetting): Promise<Handler>;
}

/** The one table of handlers: a new one is a row here. */
export const HANDLER_TYPES: ReadonlyMap<string, HandlerType> = new Map<string, HandlerType>([
  [
    "inline",
    {
      keys: ["inline_rules", "rules", "examples"],
      make: async (settings, { events, ports }) =>
        inlineHandler(await compileInlineRules(settings, ports.rules), events),
    },
  ],
  [
    "llm",
    {
      keys: ["prompt", "model", "base_url", "cache_seconds"],
      make: async (settings, setting) => (await import("./llm/llm-handler.ts")).llmHandler(settings, setting),
    },
  ],
  [
    "agent",
    {
      keys: ["prompt", "model", "base_url", "max_turns"],
      make: async (settings, setting) =>
        (await import("./agent/agent-handler.ts")).agentHandler(settings, setting),
    },
  ],
  [
    "command",
    {
      keys: ["command", "args", "script", "env", "mode", "pool"],
      make: async (settings, setting) => {
        if (settings.mode === undefined) {
          const { commandHandler } = await import("./command/command.ts");
          return commandHandler(settings, setting);
        }
        const { persistentHandler } = await import("./persistent/persistent.ts");
        return persistentHandler(settings, setting);
      },
    },
  ],
  [
    "http",
    {
      keys: ["url", "headers", "env", "secret_env", "retries"],
      make: async (settings, setting) => (await import("./http/http.ts")).httpHandler(settings, setting),
    },
  ],
  [
    "module",
    {
      keys: ["module"],
      make: async (settings, setting) =>
        (await import("./module/module.ts")).moduleHandler(settings, setting),
    },
  ],
  [
    "mcp",
    {
      keys: ["server", "tool", "input"],
      make: async (settings, setting) => (await import("./mcp/mcp.ts")).mcpHandler(settings, setting),
    },
  ],
  ["all", composition("all")],
  ["any", composition("any")],
  ["first", composition("first")],
]);

const ALIASES: ReadonlyMap<string, string> = new Map([["prompt", "llm"]]);

/** The row of a type, also by the other name it has. */
export function handlerType(type: unknown): HandlerType | undefined {
  return typeof type === "string" ? HANDLER_TYPES.get(ALIASES.get(type) ?? type) : undefined;
}

function composition(type: "all" | "any" | "first"): HandlerType {
  return {
    keys: [type],
    make: async (settings, setting) =>
      (await import("./composition/composition.ts")).compositionHandler(type, settings, setting),
  };
}
