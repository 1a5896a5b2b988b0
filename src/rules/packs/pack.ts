import type { RuleExample } from "../rule.ts";

/** One inline hook of a pack, in the shape a configuration file holds. */
export interface PackDefinition {
  readonly name: string;
  readonly type: "inline";
  readonly matcher: { readonly events: readonly string[] };
  /** Rules in the one-line language. */
  readonly rules: string;
  /** Checked when the pack is loaded. */
  readonly examples: readonly RuleExample[];
  readonly priority: number;
  /** What the rules are for, in one line of the reference. */
  readonly docs: string;
}

/** A set of hooks that ships with the package and is switched on by name. */
export interface Pack {
  readonly name: string;
  readonly description: string;
  readonly definitions: readonly PackDefinition[];
}

/** A rule of a pack: what it looks for, and why it stops that, for the person who is asked. */
export type PackRule = {
  /** `ask` unless it says otherwise. */
  readonly answer?: "deny";
  readonly reason: string;
} & (
  | { readonly when: string }
  /** Patterns of `runs`; a command that only says what it would do is left alone. */
  | { readonly runs: readonly string[] }
);

/** Writes rules in the one-line language. */
export function ruleLines(rules: readonly PackRule[]): string {
  return rules
    .map((rule) => {
      const condition = "when" in rule ? rule.when : runsForReal(rule.runs);
      return `${condition} -> ${rule.answer ?? "ask"}(${JSON.stringify(rule.reason)})`;
    })
    .join("\n");
}

/** A condition that holds when any of the `runs` patterns does. */
export function runsAny(patterns: readonly string[]): string {
  return `(${patterns.map((pattern) => `command runs ${JSON.stringify(pattern)}`).join(" or ")})`;
}

/** Options with which a program says what it would do, or how it is used, and does nothing. */
const HARMLESS = "!--dry-run !--dryrun !--simulate !--no-act !--what-if !--help";

/** Like {@link runsAny}, but a command that only says what it would do is left alone. */
export function runsForReal(patterns: readonly string[]): string {
  return runsAny(patterns.map((pattern) => `${pattern} ${HARMLESS}`));
}

/**
 * A condition that holds when a command, or a tool that is no shell, reads or changes such a file. A tool that names a file
 * is no shell, also when one of its fields is called `command`. One that lists names shows no content.
 */
export function touchesAny(access: "reads" | "writes", globs: readonly string[], after = ""): string {
  const behaviour = access === "reads" ? "@discloses" : "@changes";
  const touched = callTouches(access, globs, after);
  const tools = access === "reads" ? `not tool in ["Glob", "LS"] and (${touched})` : touched;
  return `(command runs ${JSON.stringify([behaviour, ...globs].join(" "))}${after} or ((not command exists or path exists) and (${tools})))`;
}

/** A condition that holds when a call reads or writes such a file. `after` follows each glob: ` ignoring case`. */
export function callTouches(access: "reads" | "writes", globs: readonly string[], after = ""): string {
  return globs.map((glob) => `call ${access} ${JSON.stringify(glob)}${after}`).join(" or ");
}

/** Examples of command lines a definition answers, and of others it leaves alone. */
export function examples(match: readonly string[], others: readonly string[]): readonly RuleExample[] {
  return [...match.map((line) => ({ match: line })), ...others.map((line) => ({ not_match: line }))];
}

/** An inline hook on tool calls. */
export function onToolCall(
  name: string,
  docs: string,
  rules: readonly PackRule[],
  checked: readonly RuleExample[],
  priority = 20,
): PackDefinition {
  return {
    name,
    type: "inline",
    matcher: { events: ["PreToolUse"] },
    rules: ruleLines(rules),
    examples: checked,
    priority,
    docs,
  };
}
