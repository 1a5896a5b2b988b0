import { TenterhookError } from "../../core/base/errors.ts";
import { didYouMean } from "../../core/base/suggest.ts";
import { canonicalToolName, TOOL_NAMES } from "../../core/match/tool-names.ts";

/** What stands in the parentheses of a rule. */
export type SpecifierKind = "command" | "reads" | "writes" | "domain";

/** A rule taken apart. */
export interface ParsedRule {
  /** The rule as written. */
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
  if (typeof given !== "string") throw bad(given, "must be a text");
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

/** The error of a rule that can't be read. */
export function bad(rule: unknown, problem: string): TenterhookError {
  return new TenterhookError(
    "bad_permission",
    `The permission rule ${JSON.stringify(rule)} ${problem}${/[.?]$/.test(problem) ? "" : "."}`,
  );
}
