import { isRecord } from "../../core/base/json.ts";
import {
  eventFor,
  type ForeignHandler,
  handlersInGroups,
  importHooks,
  neededSecrets,
  type Tell,
  tellUnknownKeys,
} from "../import/convert.ts";
import {
  COMPARED_BY_MOST,
  everyTime,
  linearOrNothing,
  manyNames,
  selectionOf,
  toolsByRegex,
} from "../import/matcher.ts";
import type { ForeignHooks } from "../integration.ts";
import { geminiTable, TOOL_EVENTS } from "./gemini.ts";

type Settings = Readonly<Record<string, unknown>>;

const USUAL_MILLISECONDS = 60_000;
const KNOWN_KEYS = ["type", "command", "name", "description", "timeout", "env"];

export const importGemini = importHooks({
  table: geminiTable,
  handlers: handlersInGroups,
  unknown: "ignores unknown ones",
  notPassedOn: ["BeforeModel", "AfterModel", "BeforeToolSelection"],
  definitionOf,
  notes: () => NOTES,
});

function definitionOf(
  { event, matcher, handler, parallel }: ForeignHandler,
  given: ForeignHooks,
  tell: Tell,
): Settings | undefined {
  const { type, command, name, description = name, timeout, env } = handler;
  if (type !== "command" || typeof command !== "string") {
    tell(`Gemini CLI runs no hooks of the type ${JSON.stringify(type)}; the hook was skipped.`);
    return undefined;
  }
  tellUnknownKeys(handler, KNOWN_KEYS, tell);
  for (const { holds, difference } of OTHERWISE) if (holds(event, command)) tell(difference);
  const milliseconds = typeof timeout === "number" && timeout > 0 ? timeout : USUAL_MILLISECONDS;
  return {
    ...(typeof description === "string" ? { description } : {}),
    type,
    command,
    payload: "native",
    written_for: "gemini",
    ...(isRecord(env) ? { set_env: env } : {}),
    ...neededSecrets(command, given, tell),
    matcher: { events: [eventFor(geminiTable, event)], ...importMatcher(event, matcher, tell) },
    timeout: milliseconds / 1000,
    // Gemini CLI lets a call pass when its guard fails; here that is written out for everybody to see.
    on_failure: { default: "open", untrusted: "closed" },
    ...(event === "BeforeTool" ? { recheck: false } : {}),
    parallel,
  };
}

/** What means something else here. */
const OTHERWISE: readonly {
  readonly holds: (event: string, command: string) => boolean;
  readonly difference: string;
}[] = [
  {
    holds: (_, command) =>
      /\$(?:GEMINI_(?:PROJECT_DIR|CWD|PLANS_DIR|SESSION_ID)|CLAUDE_PROJECT_DIR)/.test(command),
    difference:
      "Gemini CLI quotes the folder it puts in for a variable, here the shell reads it: write it in double quotes if its path has spaces.",
  },
  {
    holds: (event) => event === "BeforeTool",
    difference: "its ask refuses, as every ask in Gemini CLI does here.",
  },
  {
    holds: (event) => event === "AfterTool",
    difference: "tailToolCallRequest in its reply is not carried out.",
  },
  { holds: (event) => event === "AfterAgent", difference: "clearContext in its reply is not carried out." },
];

const NOTES: readonly string[] = [
  manyNames("Gemini CLI"),
  "If one of these hooks crashes, the call goes on, as in Gemini CLI; while it is not trusted, it is refused. For guards, set on_failure: closed.",
  "Exit codes other than 0 and 1 refuse as there, and here also when the hook prints nothing. A reply in Claude Code's form works here; Gemini CLI ignores it.",
  "A hook that asks refuses, since Gemini CLI does not say whether anybody is there.",
  "Rewrites of several hooks are merged. Gemini CLI keeps the one that comes last.",
  "A hook that runs too long ends at its timeout with everything it started. Gemini CLI waits for its child processes.",
  "Gemini CLI runs commands in bash, Tenterhook in sh, without API keys and tokens except those that env names.",
  "Equal commands run once in Gemini CLI, and hooks that hooksConfig.disabled names do not run; here all of them run.",
];

/** Also the event that only Gemini CLI has. */
const COMPARED: typeof COMPARED_BY_MOST = new Map([
  ...COMPARED_BY_MOST,
  ["PreCompress", { field: "trigger" }],
]);

/** Converts a matcher to our fields, never to fewer events than before. Tells everything that differs. */
function importMatcher(event: string, matcher: unknown, tell: Tell): Settings {
  const selection = selectionOf(matcher);
  if (selection === undefined) return {};
  if (event === "SessionStart" && /^\w+$/.test(selection)) return { sources: [selection] };
  if (TOOL_EVENTS.has(event)) return toolsByRegex(selection, tell);
  return COMPARED.has(event) ? everyTime(event, selection, tell) : {};
}

export function isMatched(event: string, matcher: unknown, payload: Settings): boolean {
  const selection = selectionOf(matcher);
  if (selection === undefined) return true;
  const { tool_name } = payload;
  if (TOOL_EVENTS.has(event) && typeof tool_name === "string")
    return linearOrNothing(selection)?.(tool_name) ?? selection === tool_name;
  const field = COMPARED.get(event)?.field;
  return field === undefined || payload[field] === selection;
}
