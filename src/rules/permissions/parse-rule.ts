import { atPlace, TenterhookError } from "../../core/base/errors.ts";
import { didYouMean } from "../../core/base/suggest.ts";
import { compilePathGlob } from "../../core/match/glob.ts";
import { canonicalToolName, TOOL_NAMES } from "../../core/match/tool-names.ts";
import { hostOf } from "../../core/match/url-hosts.ts";

/** What the parentheses of a rule hold. */
export type SpecifierKind = "command" | "reads" | "writes" | "domain";

export interface ParsedRule {
  readonly text: string;
  /** The tool, by our name. */
  readonly tool: string;
  readonly specifier?: { readonly kind: SpecifierKind; readonly value: string };
}

/** The tools whose rules take a specifier. */
const SPECIFIERS: Readonly<Record<string, SpecifierKind>> = {
  Bash: "command",
  Read: "reads",
  LS: "reads",
  Glob: "reads",
  Grep: "reads",
  Edit: "writes",
  Write: "writes",
  NotebookEdit: "writes",
  ApplyPatch: "writes",
  Delete: "writes",
  WebFetch: "domain",
};

const LONGEST = 4_096;

/**
 * Reads a rule: `Bash(rm:*)`, `Edit(src/**)`, `WebFetch(domain:example.com)`, `Read`, `mcp__server__tool`. Tools may
 * have any agent's name for them.
 *
 * @throws TenterhookError `bad_permission` that says what is wrong with the rule.
 */
export function parsePermissionRule(given: unknown): ParsedRule {
  if (typeof given !== "string") throw bad(given, "must be a string");
  const text = given.trim();
  if (text === "") throw bad(given, "is empty");
  if (text.length > LONGEST) throw bad(`${text.slice(0, 60)}…`, `is longer than ${LONGEST} characters`);
  const open = text.indexOf("(");
  const name = (open === -1 ? text : text.slice(0, open)).trim();
  if (name === "") throw bad(text, "names no tool");
  if (/[\s),]/.test(name)) throw bad(text, `has no tool of the name ${JSON.stringify(name)}`);
  const tool = canonicalToolName(name);
  if (open === -1) return { text, tool };
  if (!text.endsWith(")")) throw bad(text, "has no closing parenthesis at its end");
  const value = text.slice(open + 1, -1).trim();
  if (value === "") throw bad(text, "has nothing in its parentheses; leave them out to mean every call");
  const kind = Object.hasOwn(SPECIFIERS, tool) ? SPECIFIERS[tool] : undefined;
  if (kind === undefined) {
    const known = Object.hasOwn(TOOL_NAMES, tool) ? "" : didYouMean(name, Object.keys(SPECIFIERS));
    throw bad(text, `gives ${name} a specifier, which only shell, file and fetch tools take.${known}`);
  }
  return { text, tool, specifier: { kind, value } };
}

/** A part of a rule as a glob: only `*` is special in it; brackets and braces are what commands are made of. */
export function asGlob(pattern: string): string {
  return pattern.replaceAll(/[?[\]{}\\]/g, "\\$&");
}

function bad(rule: unknown, problem: string): TenterhookError {
  return new TenterhookError(
    "bad_permission",
    `The permission rule ${JSON.stringify(rule)} ${problem}${/[.?]$/.test(problem) ? "" : "."}`,
  );
}

const PREFIX = "domain:";

/**
 * The command that a rule names, and whether anything may follow it.
 *
 * @throws TenterhookError `bad_permission` for one that names no program.
 */
export function readCommand(text: string, value: string): { readonly body: string; readonly open: boolean } {
  const body = value.replace(/(?::| +)\*$/, "").trim();
  if (body === "") throw bad(text, "names no program");
  if (body.includes(":*")) throw bad(text, "has :* in its middle, and it means the rest of the line");
  return { body, open: body !== value };
}

/**
 * The host of a rule, as hosts are compared, and whether its subdomains are meant instead.
 *
 * @throws TenterhookError `bad_permission` for anything but one host.
 */
export function readHost(text: string, value: string): { readonly host: string; readonly below: boolean } {
  const given = value.startsWith(PREFIX) ? value.slice(PREFIX.length).trim() : undefined;
  if (given === undefined) throw bad(text, "must say domain:, for example WebFetch(domain:example.com)");
  const below = given.startsWith("*.");
  const host = hostAlone(below ? given.slice(2) : given);
  if (host === undefined) throw bad(text, "must give one host alone, such as example.com or *.example.com");
  return { host, below };
}

/**
 * Checks that a pattern for files can be read.
 *
 * @throws TenterhookError `bad_permission` or `bad_pattern`.
 */
export function checkFilePattern(text: string, value: string): void {
  if (value.endsWith(":*"))
    throw bad(text, "has :*, which is for commands; for files write a glob such as src/**");
  compilePathGlob(value);
}

function hostAlone(given: string): string | undefined {
  if (given === "" || /[\s/\\@:?#*]/.test(given.replace(/^\[[\da-f:.]+\]$/i, ""))) return undefined;
  return hostOf(`https://${given}`);
}

const CHECKS: Readonly<Record<SpecifierKind, (text: string, value: string) => unknown>> = {
  command: readCommand,
  domain: readHost,
  reads: checkFilePattern,
  writes: checkFilePattern,
};

/**
 * Checks that a rule can be read.
 *
 * @throws TenterhookError `bad_permission` or `bad_pattern` that names the rule.
 */
export function checkPermissionRule(given: unknown): void {
  const { text, specifier } = parsePermissionRule(given);
  if (specifier === undefined) return;
  try {
    CHECKS[specifier.kind](text, specifier.value);
  } catch (error) {
    throw atRule(error, text);
  }
}

/** An error of a pattern, with the rule that has it. */
export function atRule(error: unknown, text: string): unknown {
  return error instanceof TenterhookError && error.code === "bad_pattern"
    ? atPlace(error, `The permission rule ${JSON.stringify(text)}`)
    : error;
}
