import { isRecord } from "../../core/base/json.ts";
import { canonicalToolName, toolSpellings } from "../../core/match/tool-names.ts";
import { isRegex } from "../../node/regex.ts";
import { isGate, rowOf } from "../codec/agent-table.ts";
import {
  eventFor,
  type ForeignHandler,
  handlersInLists,
  importHooks,
  neededSecrets,
  type Tell,
  tellUnknownKeys,
} from "../import/convert.ts";
import { linearOrNothing, toolsByRegex } from "../import/matcher.ts";
import type { ForeignHooks } from "../integration.ts";
import { copilotTable } from "./copilot.ts";
import { TOOL_EVENTS, withCapital } from "./events.ts";

type Settings = Readonly<Record<string, unknown>>;

const USUAL_SECONDS = 30;
const KNOWN_KEYS = [
  "type",
  "bash",
  "command",
  "comment",
  "matcher",
  "timeout",
  "timeoutSec",
  "shell",
  "env",
  "cwd",
];

export const importCopilot = importHooks({
  table: copilotTable,
  handlers: (section) => handlersInLists(section).map(inOneForm),
  eventOf: withCapital,
  unknown: "ignores unknown ones",
  notPassedOn: ["PreMcpToolCall", "userPromptTransformed"],
  definitionOf,
  notes: () => NOTES,
});

/** A handler with its line in `command` and its time in `timeout`, as those of other agents have them. */
function inOneForm({ handler, ...given }: ForeignHandler): ForeignHandler {
  const { bash, command = bash, timeoutSec, timeout = timeoutSec } = handler;
  return { ...given, handler: { ...handler, command: bash ?? command, timeout, shell: "bash" } };
}

function definitionOf(
  { event: written, matcher, handler }: ForeignHandler,
  given: ForeignHooks,
  tell: Tell,
): Settings | undefined {
  const { type = "command", command, timeout, env, cwd, comment } = handler;
  const event = withCapital(written);
  if (type !== "command") {
    tell(
      `hooks of the type ${JSON.stringify(type)} can't be imported: the hook stays in GitHub Copilot CLI.`,
    );
    return undefined;
  }
  if (typeof command !== "string") {
    tell("it has no line for bash, so GitHub Copilot CLI runs it on Windows only; the hook was skipped.");
    return undefined;
  }
  if (timeout === 0) {
    tell("GitHub Copilot CLI never ran a hook with a time of 0; the hook was skipped.");
    return undefined;
  }
  const fields = importMatcher(written, matcher, tell);
  if (fields === undefined) return undefined;
  tellUnknownKeys(handler, KNOWN_KEYS, tell);
  return {
    ...(typeof comment === "string" ? { description: comment } : {}),
    type,
    command: typeof cwd === "string" && cwd !== "" ? `cd ${quoted(cwd)} || exit 1\n${command}` : command,
    payload: "native",
    written_for: "copilot",
    ...(hasSmallLetter(written) ? { native_keys: "camelCase" } : {}),
    ...(isRecord(env) ? { set_env: env } : {}),
    ...neededSecrets(command, given, tell),
    matcher: { events: [eventFor(copilotTable, event)], ...fields },
    timeout: typeof timeout === "number" && timeout > 0 ? timeout : USUAL_SECONDS,
    on_failure: FAILS_CLOSED.includes(event)
      ? { default: "closed", timeout: "open", bad_output: "open" }
      : { default: "open", untrusted: isGate(rowOf(copilotTable, event)) ? "closed" : "open" },
    ...(event === "PreToolUse" ? { recheck: false, short_circuit: true } : {}),
  };
}

/** Where Copilot refuses when a hook fails, unless it took too long or wrote what can't be read. */
const FAILS_CLOSED: readonly string[] = ["PreToolUse", "PermissionRequest"];

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

const NOTES: readonly string[] = [
  "If one of these hooks fails, the call is refused, as in GitHub Copilot CLI; if it takes too long or writes what can't be read, the call goes on. For guards, set on_failure: closed.",
  "A reply in Claude Code's form works here, also where GitHub Copilot CLI ignores it: decision or continue before a call, hookSpecificOutput on events in camelCase.",
  "The model reads why a call was refused, also what the hook wrote to stderr, which GitHub Copilot CLI leaves out.",
  "handled and responseContent in a reply to a prompt are not carried out.",
  "GitHub Copilot CLI runs commands in bash, Tenterhook in sh, without API keys and tokens except those that env names.",
  "It also runs the project's hooks of Claude Code: tenterhook import claude takes those over.",
];

/** True for a name that chooses payloads with fields in camelCase, and Copilot's own names of tools. */
export function hasSmallLetter(event: string): boolean {
  return /^[a-z]/.test(event);
}

/**
 * Our fields for a matcher, never for fewer events than before; `undefined` for one that never matched. It is an
 * expression for the whole name of a tool, and means nothing on other events.
 */
function importMatcher(event: string, matcher: unknown, tell: Tell): Settings | undefined {
  if (typeof matcher !== "string" || !TOOL_EVENTS.has(withCapital(event))) return {};
  if (isAll(event, matcher)) return {};
  if (matcher === "" || !isRegex(matcher)) {
    tell(
      `its matcher ${JSON.stringify(matcher)} is no regular expression, so GitHub Copilot CLI never ran it; the hook was skipped.`,
    );
    return undefined;
  }
  if (!/^[\w|]+$/.test(matcher)) return toolsByRegex(`^(?:${matcher})$`, tell);
  for (const name of hasSmallLetter(event) ? matcher.split("|") : [])
    if (/^[A-Z]/.test(name))
      tell(
        `GitHub Copilot CLI has no tool ${name} on events in camelCase, so it matched nothing; here it matches ${canonicalToolName(name)}.`,
      );
  return { tools: matcher.split("|") };
}

export function isMatched(event: string, matcher: unknown, payload: Settings): boolean {
  const name = payload.tool_name ?? payload.toolName;
  if (typeof matcher !== "string" || typeof name !== "string" || isAll(event, matcher)) return true;
  const test = matcher !== "" && isRegex(matcher) ? linearOrNothing(`^(?:${matcher})$`) : undefined;
  const names = hasSmallLetter(event) ? [name] : toolSpellings(name);
  return test !== undefined && names.some((one) => test(one));
}

function isAll(event: string, matcher: string): boolean {
  return matcher === ".*" || (matcher === "*" && !hasSmallLetter(event));
}
