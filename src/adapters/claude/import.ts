import { isRecord, sameJson } from "../../core/base/json.ts";
import type { Imported } from "../bridge.ts";
import { HOOK_COMMAND } from "../settings.ts";
import { type SettingsText, valueAt } from "../settings-json.ts";
import { ownName } from "./decode.ts";
import { CLAUDE_EVENTS } from "./events.ts";
import { importMatcher } from "./import-matcher.ts";
import { asList, claudeSettings } from "./settings.ts";
import { wrongHandler } from "./settings-validity.ts";

type Settings = Readonly<Record<string, unknown>>;

/** How one type of handler is converted. */
interface HandlerImport {
  readonly type: string;
  /** Its default timeout in seconds. */
  readonly timeout: number;
  /** Their key to our key. */
  readonly keys: Readonly<Record<string, string>>;
}

const HANDLERS: ReadonlyMap<unknown, HandlerImport> = new Map([
  ["command", { type: "command", timeout: 600, keys: { command: "command", args: "args" } }],
  ["http", { type: "http", timeout: 600, keys: { url: "url", headers: "headers", allowedEnvVars: "env" } }],
  ["prompt", { type: "llm", timeout: 30, keys: { prompt: "prompt", model: "model" } }],
  ["agent", { type: "agent", timeout: 60, keys: { prompt: "prompt", model: "model" } }],
  ["mcp_tool", { type: "mcp", timeout: 600, keys: { server: "server", tool: "tool", input: "input" } }],
]);

/** Events on which the default timeout is shorter. */
const LESS_TIME: ReadonlyMap<string, number> = new Map([
  ["UserPromptSubmit", 30],
  ["PreModelSwitch", 30],
  ["MessageDisplay", 10],
  ["SessionEnd", 1.5],
]);

/** Events without a conversation to ask about. */
const NO_CONVERSATION = ["SessionStart", "Setup", "SubagentStart"];

/** Events on which it does not run hooks of a type, mostly without a warning. */
const NOT_ON: ReadonlyMap<unknown, readonly string[]> = new Map<unknown, readonly string[]>([
  ["http", ["SessionStart", "Setup"]],
  ["prompt", NO_CONVERSATION],
  ["agent", [...NO_CONVERSATION, "PermissionRequest"]],
]);

/** Keys of every handler that mean the same here, or are handled in this file. */
const COMMON = [
  "type",
  "timeout",
  "onFailure",
  "once",
  "async",
  "asyncRewake",
  "continueOnBlock",
  "statusMessage",
  "if",
];

/** Converts the hooks in Claude Code's settings to definitions. Skips those that `install` wrote. */
export function importClaude(text: SettingsText): Imported {
  const definitions: Settings[] = [];
  const report: string[] = [];
  const hooks = valueAt(text, ["hooks"]);
  const unread = claudeSettings.unread(text);
  if (unread !== undefined) report.push(`${unread.why}: none of these hooks ran there. Here they will.`);
  if (valueAt(text, ["disableAllHooks"]) === true)
    report.push("disableAllHooks is true there: none of these hooks ran there. Here they will.");
  for (const [event, entries] of Object.entries(isRecord(hooks) ? hooks : {})) {
    let number = 0;
    const seen: unknown[] = [];
    if (!Array.isArray(entries)) report.push(notLoaded(`hooks.${event} is no list`));
    for (const [at, given] of asList(entries).entries()) {
      const entry = isRecord(given) ? given : {};
      if (!Array.isArray(entry.hooks)) report.push(notLoaded(`hooks.${event}.${at} has no list of hooks`));
      for (const handler of asList(entry.hooks).filter(isRecord)) {
        if (handler.command === HOOK_COMMAND) continue;
        number += 1;
        const name = `claude-${kebab(event)}-${number}`;
        const tell = (problem: string): void => {
          report.push(`${name}: ${problem}`);
        };
        const definition = definitionOf({ name, event, matcher: entry.matcher, handler }, tell);
        if (definition === undefined) continue;
        if (seen.some((one) => sameJson(one, handler)))
          tell(
            "the same handler is configured twice; Claude Code runs it once when both match, Tenterhook runs both.",
          );
        seen.push(handler);
        definitions.push(definition);
      }
    }
  }
  return { definitions, report: [...report, ...aboutAll(definitions)] };
}

function notLoaded(what: string): string {
  return `${what}, which Claude Code does not load; it was skipped.`;
}

/** Warnings that apply to many hooks are given once. */
function aboutAll(definitions: readonly Settings[]): readonly string[] {
  const open = definitions.filter(({ on_failure }) => on_failure === "open");
  const commands = definitions.filter(({ type }) => type === "command");
  return [
    ...(open.length === 0
      ? []
      : [
          "Claude Code continues when a hook fails, and so do hooks with on_failure: open. Set on_failure: closed on hooks that guard something.",
        ]),
    ...(commands.length === 0
      ? []
      : [
          "Commands start in the project's folder (those of the user's configuration in the folder of that), wherever the agent works, and get no API keys and tokens but those that env names.",
        ]),
  ];
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
  const { type } = handler;
  const kind = HANDLERS.get(type);
  if (kind === undefined) {
    tell(`handlers of the type ${JSON.stringify(type)} are unknown and were skipped.`);
    return undefined;
  }
  const wrong = wrongHandler(handler, []);
  if (wrong !== undefined) {
    const what = `its ${wrong.path.join(".")} must be ${wrong.must_be}`;
    tell(`${what}, or Claude Code does not load it; the hook was skipped.`);
    return undefined;
  }
  const row = Object.hasOwn(CLAUDE_EVENTS, event) ? CLAUDE_EVENTS[event] : undefined;
  if (row === undefined) tell(`${event} is not a known event of Claude Code, which ignores unknown events.`);
  if (NOT_ON.get(type)?.includes(event) === true) {
    tell(`Claude Code runs no ${type} hook on ${event}; the hook was skipped.`);
    return undefined;
  }
  const fields = importMatcher(event, matcher, handler.if, tell);
  if (fields === undefined) return undefined;
  if (/CLAUDE_PLUGIN_(?:ROOT|DATA|OPTION)/.test(JSON.stringify(handler)))
    tell("CLAUDE_PLUGIN_ROOT and its like are set for hooks of a plugin only, and will be empty.");
  for (const key of Object.keys(handler)) {
    if (!COMMON.includes(key) && !Object.hasOwn(kind.keys, key))
      tell(`${key} has no equivalent and was skipped.`);
  }
  for (const { holds, told } of OTHERWISE) if (holds(handler, event)) tell(told);
  const settings = Object.entries(kind.keys).flatMap(([theirs, own]) =>
    handler[theirs] === undefined ? [] : [[own, carried(own, handler[theirs])] as const],
  );
  return {
    name,
    ...(typeof handler.statusMessage === "string" ? { description: handler.statusMessage } : {}),
    type: kind.type,
    matcher: { events: [row?.event ?? ownName(event)], ...fields },
    ...Object.fromEntries(settings),
    timeout:
      typeof handler.timeout === "number"
        ? handler.timeout
        : Math.min(kind.timeout, LESS_TIME.get(event) ?? kind.timeout),
    // Claude Code lets a call pass when its guard fails; here that is written out for everybody to see.
    on_failure: handler.onFailure === "block" ? "closed" : "open",
    ...(handler.once === true ? { once: true } : {}),
    ...(handler.async === true ? { async: true } : {}),
  };
}

/** Values that mean something else here. */
const OTHERWISE: readonly {
  readonly holds: (handler: Settings, event: string) => boolean;
  readonly told: string;
}[] = [
  {
    holds: ({ async }) => async === true,
    told: "what it said came with a later request there; here it is only written down.",
  },
  {
    holds: ({ asyncRewake }) => asyncRewake === true,
    told: "it ran beside the agent there and woke it to refuse; here the agent waits for it.",
  },
  {
    holds: ({ type, continueOnBlock }, event) =>
      type === "prompt" && event === "PreToolUse" && continueOnBlock !== true,
    told: "a refusal ended the whole turn there; here it refuses the call.",
  },
];

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
