import { canonicalToolName, selectedTools } from "../../core/match/tool-names.ts";
import { linearRegex } from "../../node/regex.ts";
import {
  eventFor,
  type ForeignHandler,
  handlersInGroups,
  importHooks,
  type Tell,
  tellUnknownKeys,
} from "../import/convert.ts";
import { COMPARED_BY_MOST, everyTime, linearOrNothing, manyNames, selectionOf } from "../import/matcher.ts";
import type { ForeignHooks } from "../integration.ts";
import { codexTable, TOOL_EVENTS } from "./codex.ts";

type Settings = Readonly<Record<string, unknown>>;

const USUAL_SECONDS = 600;
/** Gates whose input a hook can rewrite. */
const REWRITABLE = ["PreToolUse", "PermissionRequest"];
const KNOWN_KEYS = ["type", "command", "timeout", "async", "statusMessage", "server", "tool", "input"];

export const importCodex = importHooks({
  table: codexTable,
  handlers: handlersInGroups,
  unknown: "ignores unknown ones",
  definitionOf,
  notes,
});

function definitionOf(
  { event, matcher, handler }: ForeignHandler,
  _: ForeignHooks,
  tell: Tell,
): Settings | undefined {
  const { type, timeout, statusMessage, server, tool, input } = handler;
  const settings =
    type === "command" && typeof handler.command === "string"
      ? { type, command: handler.command, payload: "native", written_for: "codex" }
      : type === "mcp_tool" && typeof server === "string" && typeof tool === "string"
        ? {
            type: "mcp",
            server,
            tool,
            input,
            payload: "native",
            written_for: "codex",
          }
        : undefined;
  if (settings === undefined) {
    tell(`Codex runs no hooks of the type ${JSON.stringify(type)}; the hook was skipped.`);
    return undefined;
  }
  tellUnknownKeys(handler, KNOWN_KEYS, tell);
  return {
    ...(typeof statusMessage === "string" ? { description: statusMessage } : {}),
    ...settings,
    matcher: { events: [eventFor(codexTable, event)], ...importMatcher(event, matcher, tell) },
    timeout: typeof timeout === "number" && timeout >= 1 ? timeout : USUAL_SECONDS,
    // Codex lets a call pass when its guard fails; here that is written out for everybody to see.
    on_failure: { default: "open", untrusted: "closed" },
    parallel: true,
    ...(REWRITABLE.includes(event) ? { recheck: false } : {}),
    ...(handler.async === true ? { async: true } : {}),
  };
}

function notes(definitions: readonly Settings[]): readonly string[] {
  return [
    manyNames("Codex"),
    "If one of these hooks crashes, the call goes on, as in Codex; while it is not trusted, it is refused. For guards, set on_failure: closed.",
    "Codex ignores a reply with a key that it does not know. Here the rest of it applies.",
    "Exit code 2 refuses here also when the hook prints nothing on stderr. A hook that asks refuses, and so does continue: false before a call: Codex ignores both and runs the call.",
    "continue: false after a call withholds its result as there; the model also reads that the turn continues.",
    ...(definitions.some(({ type }) => type === "command")
      ? [
          "Codex runs commands in your login shell, Tenterhook in sh, without API keys and tokens except those that env names.",
        ]
      : []),
    "Hooks in the [hooks] tables of config.toml are not imported.",
  ];
}

/** A matcher of these characters is a list of names; any other is a regular expression. */
const LIST = /^[A-Za-z0-9_|]+$/;

/** Converts a matcher to our fields, never to fewer events than before. Tells everything that differs. */
function importMatcher(event: string, matcher: unknown, tell: Tell): Settings {
  const selection = selectionOf(matcher);
  if (selection === undefined) return {};
  const isTool = TOOL_EVENTS.has(event);
  const compared = isTool ? "tools" : COMPARED_BY_MOST.get(event)?.matcher;
  if (!isTool && !COMPARED_BY_MOST.has(event)) return {};
  // Where other agents write a file, Codex applies a patch.
  const others = isTool && patches(selection) ? ["Edit", "Write"] : [];
  if (compared !== undefined && LIST.test(selection))
    return { [compared]: [...new Set([...selection.split("|"), ...others])] };
  if (isTool) return { tools: [`/${selection.replaceAll("/", "\\/")}/`, ...others] };
  return everyTime(event, selection, tell);
}

function patches(selection: string): boolean {
  return LIST.test(selection)
    ? selection.split("|").includes("apply_patch")
    : linearOrNothing(selection)?.("apply_patch") === true;
}

export function isMatched(event: string, matcher: unknown, payload: Settings): boolean {
  const selection = selectionOf(matcher);
  if (selection === undefined) return true;
  const field = TOOL_EVENTS.has(event) ? "tool_name" : COMPARED_BY_MOST.get(event)?.field;
  const value = field === undefined ? undefined : payload[field];
  if (typeof value !== "string") return field === undefined;
  if (!LIST.test(selection)) return linearRegex(selection, false)(value);
  const names = selection.split("|");
  // Write and Edit select patches, Agent a subagent.
  return (
    names.includes(value) ||
    (field === "tool_name" && names.some((name) => selectedTools(name).includes(canonicalToolName(value))))
  );
}
