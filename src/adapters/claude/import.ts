import { isRecord } from "../../core/json.ts";
import type { Imported } from "../imported.ts";
import { HOOK_COMMAND } from "../settings.ts";
import { type SettingsText, valueAt } from "../settings-json.ts";
import { ownName } from "./decode.ts";
import { CLAUDE_EVENTS } from "./events.ts";
import { importMatcher } from "./import-matcher.ts";

type Settings = Readonly<Record<string, unknown>>;

/** How one kind of handler is carried over. */
interface HandlerImport {
  readonly type: string;
  /** Seconds it has when it does not say itself. */
  readonly timeout: number;
  /** Their key → ours. */
  readonly keys: Readonly<Record<string, string>>;
}

const HANDLERS: Readonly<Record<string, HandlerImport>> = {
  command: { type: "command", timeout: 600, keys: { command: "command", args: "args" } },
  http: { type: "http", timeout: 600, keys: { url: "url", headers: "headers", allowedEnvVars: "env" } },
  prompt: { type: "llm", timeout: 30, keys: { prompt: "prompt", model: "model" } },
  agent: { type: "agent", timeout: 60, keys: { prompt: "prompt", model: "model" } },
  mcp_tool: { type: "mcp", timeout: 600, keys: { server: "server", tool: "tool", input: "input" } },
};

/** Keys of any handler that mean the same with us, or are dealt with here. */
const COMMON = ["type", "timeout", "onFailure", "once", "async", "statusMessage", "if"];

/** Makes our definitions of the hooks in a settings file of Claude Code. Ours, which `install` put there, are left out. */
export function importClaude(text: SettingsText): Imported {
  const definitions: Settings[] = [];
  const report: string[] = [];
  const hooks = valueAt(text, ["hooks"]);
  if (valueAt(text, ["disableAllHooks"]) === true)
    report.push("disableAllHooks is true there: none of these hooks ran. They do now.");
  for (const [event, entries] of Object.entries(isRecord(hooks) ? hooks : {})) {
    let number = 0;
    for (const entry of asList(entries).filter(isRecord)) {
      for (const handler of asList(entry.hooks).filter(isRecord)) {
        if (handler.command === HOOK_COMMAND) continue;
        number += 1;
        const name = `claude-${kebab(event)}-${number}`;
        const tell = (problem: string): void => {
          report.push(`${name}: ${problem}`);
        };
        const definition = definitionOf({ name, event, matcher: entry.matcher, handler }, tell);
        if (definition !== undefined) definitions.push(definition);
      }
    }
  }
  return { definitions, report };
}

interface Found {
  readonly name: string;
  readonly event: string;
  readonly matcher: unknown;
  readonly handler: Settings;
}

function definitionOf(
  { name, event, matcher, handler }: Found,
  tell: (problem: string) => void,
): Settings | undefined {
  const kind = HANDLERS[String(handler.type ?? "command")];
  if (kind === undefined) {
    tell(`handlers of the type ${JSON.stringify(handler.type)} are not known and were left out.`);
    return undefined;
  }
  const ours = CLAUDE_EVENTS[event]?.event ?? ownName(event);
  const fields = importMatcher(event, matcher, handler.if, tell);
  if (fields === undefined) return undefined;
  for (const key of Object.keys(handler)) {
    if (!COMMON.includes(key) && !(key in kind.keys)) tell(`${key} has no counterpart and was left out.`);
  }
  const settings = Object.entries(kind.keys).flatMap(([theirs, own]) =>
    handler[theirs] === undefined ? [] : [[own, carried(own, handler[theirs])] as const],
  );
  return {
    name,
    ...(typeof handler.statusMessage === "string" ? { description: handler.statusMessage } : {}),
    type: kind.type,
    matcher: { events: [ours], ...fields },
    ...Object.fromEntries(settings),
    timeout: typeof handler.timeout === "number" ? handler.timeout : kind.timeout,
    // Claude Code lets a call pass when its guard fails; here that is written out for everybody to see.
    on_failure: handler.onFailure === "block" ? "closed" : "open",
    ...(handler.once === true ? { once: true } : {}),
    ...(handler.async === true ? { async: true } : {}),
  };
}

/** Headers name variables as `$NAME` there. */
function carried(key: string, value: unknown): unknown {
  if (key !== "headers" || !isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, text]) => [name, String(text).replaceAll(/\$(\w+)/g, "$${$1}")]),
  );
}

function kebab(event: string): string {
  return event.replaceAll(/([a-z])([A-Z])/g, "$1-$2").toLowerCase();
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
