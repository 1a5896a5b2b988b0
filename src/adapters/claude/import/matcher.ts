import { basename } from "node:path";
import { canonicalToolName, TOOL_NAMES, toolSpellings } from "../../../core/match/tool-names.ts";
import { isRegex, linearRegex } from "../../../node/regex.ts";
import type { Tell } from "../../import/convert.ts";
import { COMPARED_BY_MOST, linearOrNothing } from "../../import/matcher.ts";
import { TOOL_EVENTS } from "../events.ts";
import { MONITOR } from "../monitor-tool.ts";
import { importCondition } from "./condition.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Also the events that only Claude Code has. */
const COMPARED: typeof COMPARED_BY_MOST = new Map([
  ...COMPARED_BY_MOST,
  ["StopFailure", { field: "error", matcher: "error_types" }],
  ["PreModelSwitch", { field: "to_model", matcher: "model_patterns" }],
  ["Setup", { field: "trigger" }],
  ["UserPromptExpansion", { field: "command_name" }],
  ["PostModelSwitch", { field: "to_model" }],
  ["Elicitation", { field: "mcp_server_name" }],
  ["ElicitationResult", { field: "mcp_server_name" }],
  ["ConfigChange", { field: "source" }],
  ["InstructionsLoaded", { field: "load_reason" }],
  ["DirectoryAdded", { field: "source" }],
]);

/** A matcher of these characters is a list of names; any other is a regular expression. */
const PLAIN = /^[\w|, -]+$/;
/** A server name without a tool. */
const SERVER_ALONE = /^mcp__(?:(?!__)[\w-])+$/;
/** Claude Code's own names that our table lists under another tool. */
const ALSO_ITS_OWN: ReadonlySet<string> = new Set(["Agent", "MultiEdit", "PowerShell"]);
/** Two names of one tool, also for Claude Code. */
const SUBAGENT: readonly string[] = ["Task", "Agent"];

/**
 * Converts `matcher` and `if` of Claude Code to our matcher fields, never to fewer events than before; `undefined` when
 * the hook never ran there. Tells everything that differs.
 */
export function importMatcher(
  event: string,
  matcher: unknown,
  condition: unknown,
  tell: Tell,
): Fields | undefined {
  if (condition !== undefined && !TOOL_EVENTS.has(event)) {
    tell(`it has a condition, with which no hook runs on ${event} there; the hook was skipped.`);
    return undefined;
  }
  if (event === "FileChanged") return watchedFiles(matcher, tell);
  const isAll = matcher === undefined || matcher === "" || matcher === "*";
  if (!isAll && typeof matcher === "string" && !isRegex(matcher)) {
    tell(
      `its matcher ${JSON.stringify(matcher)} is no regular expression, so Claude Code never runs it; the hook was skipped.`,
    );
    return undefined;
  }
  if (TOOL_EVENTS.has(event)) {
    if (!isAll && typeof matcher !== "string") {
      tell(`its matcher ${JSON.stringify(matcher)} is no text: here it runs for every tool.`);
      return conditionFields(undefined, condition, tell);
    }
    return conditionFields(isAll ? undefined : matcher, condition, tell);
  }
  if (isAll) return {};
  const compared = COMPARED.get(event);
  if (typeof matcher !== "string" || compared === undefined) {
    tell(`${event} has no matcher there; ${JSON.stringify(matcher)} was left out.`);
    return {};
  }
  const names = PLAIN.test(matcher) ? namesIn(matcher) : undefined;
  if (names === undefined && !isLinear(matcher)) return { ...otherwise(matcher, "for all", tell) };
  if (compared.matcher !== undefined) return { [compared.matcher]: names ?? `/${matcher}/` };
  return { when: test(compared.field, matcher, names) };
}

/** The tools of the matcher that the condition leaves, and what the condition says about the call. */
function conditionFields(matcher: string | undefined, given: unknown, tell: Tell): Fields | undefined {
  if (given === undefined) return matcher === undefined ? {} : toolFields(matcher, tell);
  const condition = importCondition(given);
  const quoted = JSON.stringify(given);
  if (condition === undefined) {
    tell(`its condition ${quoted} can't be read: here it runs without it.`);
    return matcher === undefined ? {} : toolFields(matcher, tell);
  }
  const { tool, fields, wider } = condition;
  if (matcher !== undefined && !tool.includes("*") && !matches(matcher, tool)) {
    tell(
      `its condition ${quoted} never holds for a tool of its matcher ${JSON.stringify(matcher)}; the hook was skipped.`,
    );
    return undefined;
  }
  if (fields.command_patterns !== undefined)
    tell(
      "its condition also holds for a command after sudo, timeout or sh -c, and an allow applies only when every command of the line fits.",
    );
  if (wider !== undefined) tell(`its condition ${quoted} ${wider}.`);
  return { ...toolsOf([tool], tell), ...fields };
}

function matches(matcher: string, tool: string): boolean {
  const names = PLAIN.test(matcher) ? namesIn(matcher) : undefined;
  if (names === undefined) return !isLinear(matcher) || linearRegex(matcher, false)(tool);
  const same = SUBAGENT.includes(tool) ? SUBAGENT : [tool];
  return names.some((name) => same.includes(name));
}

function toolFields(matcher: string, tell: Tell): Fields {
  if (PLAIN.test(matcher)) return toolsOf(namesIn(matcher), tell);
  if (/^\^?\.[*+]?\$?$/.test(matcher)) return {};
  if (!isLinear(matcher)) return otherwise(matcher, "for every tool", tell, "tool_name");
  const fits = linearRegex(matcher, false);
  const known = Object.keys(TOOL_NAMES).flatMap(toolSpellings).filter(isItsOwn);
  if (/\(/.test(matcher) && !matcher.includes("mcp") && !known.some(fits))
    tell(
      `its matcher ${JSON.stringify(matcher)} is a regular expression that fits no tool of Claude Code itself: it ran, and runs here, only for other tools with a name that fits.`,
    );
  // Our matcher also compares the names other agents have for the same tool.
  if (fitsByOtherNames(fits)) return { when: test("tool_name", matcher, undefined) };
  return { tools: globsOf(matcher) ?? `/${matcher}/` };
}

/** One of several names or starts of names: `^Bash$`, `Edit`, `mcp__.*`. */
const ALTERNATIVE = /^(\^?)([\w-]+)((?:\.\*)?)(\$?)$/;

/** An expression of simple alternatives as names and globs, which people can read and which need no engine. */
function globsOf(matcher: string): readonly string[] | undefined {
  const [, start = "", inner, end = ""] = /^(\^?)\((?:\?:)?([^()]*)\)((?:\.\*)?\$?)$/.exec(matcher) ?? [];
  const parts = (inner ?? matcher)
    .split("|")
    .map((part) => (inner === undefined ? part : `${start}${part}${end}`));
  const globs = parts.map((part) => {
    const [whole, from, name = "", more, to] = ALTERNATIVE.exec(part) ?? [];
    if (whole === undefined) return "";
    // The name of an MCP tool begins with this.
    const before = from === "" && !name.startsWith("mcp__") ? "*" : "";
    return `${before}${name}${more === "" && to === "$" ? "" : "*"}`;
  });
  return globs.includes("") ? undefined : globs;
}

/** Tools by name. Names that Claude Code does not have are compared as it does: exactly. */
function toolsOf(names: readonly string[], tell: Tell): Fields {
  const own = names.filter(isItsOwn);
  const never = names.filter((name) => !isItsOwn(name));
  if (never.length > 0)
    tell(`Claude Code has no tool ${never.join(", ")}, so it never ran for it, and does not here.`);
  const isWhole = (name: string) => SUBAGENT.includes(name) || own.includes(canonicalToolName(name));
  if (own.includes(MONITOR) && !own.includes("Bash")) {
    tell(`a command of ${MONITOR} is one of Bash here, so the hook runs for Bash, too.`);
    return toolsOf([...names, "Bash"], tell);
  }
  return own.length > 0 && own.every(isWhole) ? { tools: own } : { when: test("tool_name", "", names) };
}

/** A regular expression that takes more than linear time in the text is not run here. */
function isLinear(expression: string): boolean {
  return linearOrNothing(expression) !== undefined;
}

/** `^(?!Bash|Edit$).*$`: everything that does not start like this. */
const EXCEPT = /^\^?\(\?!((?:[^()\\]|\\.|\((?:[^()\\]|\\.)*\))*)\)(?:\.[*+]\$?)?$/;

/** An expression that our engine does not compile. */
function otherwise(expression: string, width: string, tell: Tell, field?: string): Fields {
  const inner = EXCEPT.exec(expression)?.[1];
  const start = `^(?:${inner})`;
  if (field !== undefined && inner !== undefined && expression.startsWith("^") && isLinear(start))
    return { when: { not: test(field, start, undefined) } };
  tell(
    `its matcher ${JSON.stringify(expression)} has an expression that is not supported: here it runs ${width}.`,
  );
  return {};
}

/** Claude Code watches the files that the matcher names, wherever they are. */
function watchedFiles(matcher: unknown, tell: Tell): Fields {
  const names = typeof matcher === "string" ? namesIn(matcher, /\|/) : [];
  if (names.length > 0)
    return { path_patterns: names.map((name) => name.replaceAll(/[*?[\]{}\\]/g, "\\$&")) };
  tell("without a matcher Claude Code watches no file, so it never ran.");
  return {};
}

function namesIn(matcher: string, separator = /[|,]/): readonly string[] {
  return matcher
    .split(separator)
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** False for another agent's name or spelling of a tool: Claude Code compares names exactly, we do not. */
function isItsOwn(name: string): boolean {
  if (SERVER_ALONE.test(name)) return false;
  return canonicalToolName(name) === name || ALSO_ITS_OWN.has(name);
}

/** True when an expression fits a tool only by another agent's name for it. */
function fitsByOtherNames(fits: (name: string) => boolean): boolean {
  return Object.keys(TOOL_NAMES).some((tool) => {
    const spellings = toolSpellings(tool).filter(fits);
    return spellings.length > 0 && !spellings.some(isItsOwn);
  });
}

function test(field: string, value: string, names: readonly string[] | undefined): Fields {
  return names === undefined
    ? { field, operator: "matches", value }
    : { field, operator: "in", value: names };
}

export function isMatched(event: string, matcher: unknown, payload: Fields): boolean {
  if (event === "FileChanged")
    return namesIn(String(matcher ?? ""), /\|/).includes(basename(String(payload.file_path)));
  const field = TOOL_EVENTS.has(event) ? "tool_name" : COMPARED.get(event)?.field;
  return field === undefined || fits(matcher, payload[field]);
}

/** A bad expression takes twice as long with every letter. */
const LONGEST_VALUE = 100;

function fits(matcher: unknown, value: unknown): boolean {
  if (typeof matcher !== "string" || matcher === "" || matcher === "*") return true;
  if (typeof value !== "string") return false;
  if (PLAIN.test(matcher)) return namesIn(matcher).includes(value);
  return isRegex(matcher) && new RegExp(matcher).test(value.slice(0, LONGEST_VALUE));
}
