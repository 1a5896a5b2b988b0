import { linearRegex } from "../../node/regex.ts";
import {
  eventFor,
  type ForeignHandler,
  handlersInLists,
  importHooks,
  neededSecrets,
  type Tell,
  tellUnknownKeys,
} from "../import/convert.ts";
import { everyTime, manyNames, selectionOf, toolsByRegex } from "../import/matcher.ts";
import type { ForeignHooks } from "../integration.ts";
import { cursorTable } from "./cursor.ts";
import { TOOL_EVENTS } from "./events.ts";

type Settings = Readonly<Record<string, unknown>>;

const USUAL_SECONDS = 60;
const KNOWN_KEYS = ["type", "command", "matcher", "timeout", "failClosed"];

export const importCursor = importHooks({
  table: cursorTable,
  handlers: handlersInLists,
  unknown: "ignores a file that has it",
  definitionOf,
  notes: () => NOTES,
});

function definitionOf(
  { event, matcher, handler }: ForeignHandler,
  given: ForeignHooks,
  tell: Tell,
): Settings | undefined {
  const { type = "command", command, timeout, failClosed } = handler;
  if (type !== "command" || typeof command !== "string") {
    tell(`hooks of the type ${JSON.stringify(type)} can't be imported: the hook stays in Cursor.`);
    return undefined;
  }
  tellUnknownKeys(handler, KNOWN_KEYS, tell);
  const own = eventFor(cursorTable, event);
  return {
    type,
    command: inFolder(command, given.folder),
    payload: "native",
    written_for: "cursor",
    ...neededSecrets(command, given, tell),
    matcher: { events: [own], ...importMatcher(event, matcher, tell) },
    timeout: typeof timeout === "number" && timeout > 0 ? timeout : USUAL_SECONDS,
    // Cursor lets a call pass when its guard fails, and refuses what it can't read.
    on_failure:
      failClosed === true ? "closed" : { default: "open", bad_output: "closed", untrusted: "closed" },
    parallel: true,
    ...(own === "PreToolUse" ? { recheck: false } : {}),
  };
}

/** Ours start where the session works, and a relative name would lead nowhere there. */
function inFolder(command: string, folder: string | undefined): string {
  if (folder === undefined) return command;
  // Nothing of a longer line may run elsewhere when the folder is gone.
  return /[;&|\n]/.test(command) ? `cd ${folder} || exit 1; ${command}` : `cd ${folder} && ${command}`;
}

/** Our fields for a matcher, never for fewer events than before. */
function importMatcher(event: string, matcher: unknown, tell: Tell): Settings {
  const selection = selectionOf(matcher);
  if (selection !== undefined && TOOL_EVENTS.has(event)) return toolsByRegex(selection, tell);
  if (selection !== undefined) everyTime(event, selection, tell);
  if (event !== "beforeMCPExecution") return {};
  tell("it also gets the preToolUse of these calls.");
  return { tools: ["mcp__*"] };
}

const NOTES: readonly string[] = [
  manyNames("Cursor"),
  "If one of these hooks crashes, the call goes on, as in Cursor; while it is not trusted, or when a gate prints what can't be read, the call is refused. For guards, set on_failure: closed; those with failClosed have it.",
  "A hook that asks refuses: Cursor's agent runs what a hook asks about. Output before the JSON of a reply refuses on a gate; Cursor skips it. With failClosed, Cursor also refuses when a hook prints nothing; here it does not.",
  "A reply in Claude Code's form works here; Cursor ignores it. After a call the model reads the reason of exit code 2; in Cursor it reads nothing.",
  "Hooks on preToolUse get beforeMCPExecution of MCP tools too. Exit code 2 on stop keeps the agent going; in Cursor it does nothing.",
  "Rewrites of several hooks are merged; Cursor keeps the one that comes last. A rewrite that Cursor would not carry out refuses.",
  "The limit on follow-ups is limits.stop_continuations, not loop_limit.",
  "Cursor runs commands in a login shell (bash), Tenterhook in sh, without API keys and tokens except those that env names.",
];

/** What a matcher compares on events that are not about tools; on all others it is not known. */
const COMPARED: ReadonlyMap<string, string> = new Map([
  ["beforeShellExecution", "command"],
  ["afterShellExecution", "command"],
]);

export function isMatched(event: string, matcher: unknown, payload: Settings): boolean {
  const value = payload[TOOL_EVENTS.has(event) ? "tool_name" : (COMPARED.get(event) ?? "")];
  const selection = selectionOf(matcher);
  if (selection === undefined || typeof value !== "string") return true;
  return linearRegex(selection, false)(value);
}
