import { isRecord } from "../../../core/base/json.ts";
import { ownName } from "../../codec/agent-table.ts";
import { secretsIn, type Tell, withAgentProcess, withBraces } from "../../import/convert.ts";
import type { ForeignHooks } from "../../integration.ts";
import { wrongText } from "../../settings/shape.ts";
import { claudeTable } from "../claude.ts";
import { CLAUDE_EVENTS } from "../events.ts";
import { wrongHandler } from "../settings-validity.ts";
import type { HookEntry } from "./entries.ts";
import { importMatcher } from "./matcher.ts";

type Settings = Readonly<Record<string, unknown>>;

interface HandlerImport {
  readonly type: string;
  /** Its default timeout in seconds. */
  readonly timeout: number;
  /** Their key to our key. */
  readonly keys: Readonly<Record<string, string>>;
}

const HANDLERS: ReadonlyMap<unknown, HandlerImport> = new Map<unknown, HandlerImport>([
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

/** Gates whose input a hook can rewrite. */
const REWRITABLE = ["PreToolUse", "PermissionRequest"];

/** Keys of every handler that mean the same here, or are handled in this file. */
const COMMON = [
  "type",
  "timeout",
  "onFailure",
  "once",
  "async",
  "asyncRewake",
  "rewakeMessage",
  "shell",
  "continueOnBlock",
  "statusMessage",
  "if",
];

/** Our definition of a handler without its name; `undefined` when it never ran. Tells everything that differs. */
export function definitionOf(entry: HookEntry, given: ForeignHooks, tell: Tell): Settings | undefined {
  const { handler } = entry;
  const { type } = handler;
  const event = eventOf(entry, given);
  const kind = HANDLERS.get(type);
  if (kind === undefined) {
    tell(`handlers of the type ${JSON.stringify(type)} are unknown and were skipped.`);
    return undefined;
  }
  const wrong = wrongHandler(handler, []);
  if (wrong !== undefined) {
    tell(`its ${wrongText(wrong)}, or Claude Code does not load it; the hook was skipped.`);
    return undefined;
  }
  const row = Object.hasOwn(CLAUDE_EVENTS, event) ? CLAUDE_EVENTS[event] : undefined;
  if (row === undefined) tell(`${event} is not a known event of Claude Code, which ignores unknown events.`);
  if (NOT_ON.get(type)?.includes(event) === true) {
    tell(`Claude Code runs no ${type} hook on ${event}; the hook was skipped.`);
    return undefined;
  }
  const fields = importMatcher(event, entry.matcher, handler.if, tell);
  if (fields === undefined) return undefined;
  for (const key of Object.keys(handler)) {
    if (!COMMON.includes(key) && !Object.hasOwn(kind.keys, key))
      tell(`${key} has no equivalent and was skipped.`);
  }
  for (const { holds, difference } of OTHERWISE) if (holds(handler, event)) tell(difference);
  const settings = Object.fromEntries(
    Object.entries(kind.keys).flatMap(([theirs, own]) =>
      handler[theirs] === undefined ? [] : [[own, handler[theirs]] as const],
    ),
  );
  const { headers } = settings;
  const asksModel = Object.hasOwn(kind.keys, "model");
  const { owner } = given;
  return {
    ...(typeof handler.statusMessage === "string" ? { description: handler.statusMessage } : {}),
    type: kind.type,
    matcher: {
      events: [row?.event ?? ownName(claudeTable, event)],
      ...(owner?.kind === "agent" ? { agents: [owner.name] } : {}),
      ...fields,
    },
    // Without a name, Claude Code asks its small model.
    ...(asksModel ? { model: "haiku" } : {}),
    ...settings,
    ...(isRecord(headers) ? { headers: withBraces(headers) } : {}),
    ...(kind.type === "command" ? commandKeys(handler, given, tell) : {}),
    ...(kind.type === "http" || kind.type === "mcp" ? { payload: "native", written_for: "claude" } : {}),
    timeout:
      typeof handler.timeout === "number"
        ? handler.timeout
        : Math.min(kind.timeout, LESS_TIME.get(event) ?? kind.timeout),
    // Claude Code lets a call pass when its guard fails; here that is written out for everybody to see.
    on_failure:
      handler.onFailure === "block"
        ? "closed"
        : // A plug-in that is gone guards nothing any more, and nobody would notice.
          {
            default: "open",
            untrusted: "closed",
            ...(given.plugin === undefined ? {} : { missing: "closed" }),
          },
    parallel: true,
    // There, every hook sees what the model called, once, whatever other hooks make of it.
    ...(REWRITABLE.includes(event) ? { recheck: false } : {}),
    ...(handler.once === true ? { once: true } : {}),
    ...(handler.async === true ? { async: true } : {}),
  };
}

/** The end of a subagent is a Stop in its own file and a SubagentStop for everybody else. */
export function eventOf({ event }: HookEntry, { owner }: ForeignHooks): string {
  return owner?.kind === "agent" && event === "Stop" ? "SubagentStop" : event;
}

function commandKeys(
  { command, args, shell }: Settings,
  { plugin, scriptsOf }: ForeignHooks,
  tell: Tell,
): Settings {
  const lines = [command, args].flat().filter((text) => typeof text === "string");
  if (plugin === undefined && lines.some((line) => /CLAUDE_PLUGIN_(?:ROOT|DATA|OPTION)/.test(line)))
    tell("CLAUDE_PLUGIN_ROOT and its like are set for hooks of a plug-in only. Import the plug-in's folder.");
  if (plugin !== undefined && plugin.id === undefined)
    tell(`CLAUDE_PLUGIN_ROOT is ${plugin.folder}, a folder of this machine.`);
  const keys = {
    command,
    ...inShell(shell, command),
    ...(Array.isArray(args) ? { args: args.map((one) => withFolder(one, plugin)) } : {}),
    payload: "native",
    written_for: "claude",
    ...(plugin === undefined
      ? {}
      : plugin.id === undefined
        ? { set_env: plugin.variables }
        : { plugin: plugin.id }),
  };
  const texts = [...lines, ...scriptsOf({ type: "command", ...keys })];
  const unset = new Set(texts.flatMap((text) => text.match(/CLAUDE_PLUGIN_OPTION\w*/g) ?? []));
  if (plugin !== undefined && unset.size > 0)
    tell(`Claude Code sets ${[...unset].join(", ")} for plug-ins; here set_env has to.`);
  return withAgentProcess({ ...keys, ...secretsIn(texts, tell) }, texts, tell);
}

/** Both programs run a line without a shell of ours. */
function inShell(shell: unknown, line: unknown): Settings {
  if (shell === "bash") return { command: ["bash", "-c", line] };
  return shell === "powershell"
    ? { command: ["pwsh", "-NoProfile", "-NonInteractive", "-Command", line] }
    : {};
}

/** Without a shell, Claude Code itself puts the folder into the arguments. */
function withFolder(text: unknown, plugin: ForeignHooks["plugin"]): unknown {
  if (typeof text !== "string" || plugin === undefined || plugin.id !== undefined) return text;
  return text.replaceAll(/\$\{CLAUDE_PLUGIN_ROOT\}/g, () => plugin.folder);
}

/** Values that mean something else here. */
const OTHERWISE: readonly {
  readonly holds: (handler: Settings, event: string) => boolean;
  readonly difference: string;
}[] = [
  {
    holds: ({ async }) => async === true,
    difference:
      "what it says comes with the next event that Tenterhook is called for, not with the next request.",
  },
  {
    holds: ({ asyncRewake }) => asyncRewake === true,
    difference:
      "with a user at the screen it ran in the background and woke the agent when it refused; here the agent always waits for it, as it does with claude -p.",
  },
  {
    holds: ({ type, continueOnBlock }, event) =>
      type === "prompt" && event === "PreToolUse" && continueOnBlock !== true,
    difference: "a refusal ended the whole turn there; here it refuses the call.",
  },
];
