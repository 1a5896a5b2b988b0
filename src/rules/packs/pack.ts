/** One inline hook of a pack, in the shape a configuration file holds. */
export interface PackDefinition {
  readonly name: string;
  readonly type: "inline";
  readonly matcher: { readonly events: readonly string[] };
  /** Rules in the one-line language. */
  readonly rules: string;
  readonly priority: number;
  /** What the rules are for, in one line of the reference. */
  readonly docs: string;
}

/** A hook of a pack with the table that its rules are written from. */
export interface PackHook extends PackDefinition {
  readonly rows: readonly PackRule[];
}

/** A set of hooks that ships with the package and is switched on by name. */
export interface Pack {
  readonly name: string;
  readonly description: string;
  readonly definitions: readonly PackHook[];
}

/** A rule: what it looks for, why it stops that, and what to do instead, for the person and the model that read it. */
export type RuleRow = {
  /** By this name a refusal, its page and `hooks.disabled` know it. */
  readonly id: string;
  /** `ask` unless it says otherwise. */
  readonly answer?: "deny";
  readonly reason: string;
  /** The next step for the model. It must not be a way around the rule: to follow it does no harm. */
  readonly instead: string;
} & (
  | { readonly when: string }
  /** Patterns of `runs`; a command that only says what it would do is left alone. */
  | { readonly runs: readonly string[] }
);

/** A command line, or a call of another tool. */
export type PackExample = string | Readonly<Record<string, unknown>>;

/** A rule of a pack. Its page shows the examples, and a test asks the rule about each. */
export type PackRule = RuleRow & {
  /** What this rule stops, and no rule before it in its hook. */
  readonly stops: readonly PackExample[];
  /** What looks alike, and no rule of its hook stops. */
  readonly passes: readonly PackExample[];
};

/** Writes rules in the one-line language. */
export function ruleLines(rules: readonly RuleRow[]): string {
  return rules
    .map((rule) => `${conditionOf(rule)} -> ${rule.answer ?? "ask"}(${JSON.stringify(ruleText(rule))})`)
    .join("\n");
}

function conditionOf(rule: RuleRow): string {
  return "when" in rule ? rule.when : runsForReal(rule.runs);
}

/** What the person who is asked, and the model that is refused, read. */
export function ruleText({ id, reason, instead }: RuleRow): string {
  return `${reason} ${instead} (rule ${id})`;
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

/** A condition that holds when what a shell line or an editing tool writes contains one of these texts. */
export function textContains(texts: readonly string[]): string {
  const fields = [
    "command",
    ...["content", "new_string", "edits", "new_str", "file_text"].map((name) => `args.${name}`),
  ];
  return fields
    .flatMap((field) => texts.map((text) => `${field} contains ${JSON.stringify(text)}`))
    .join(" or ");
}

/** A condition that holds when a call reads or writes such a file. `after` follows each glob: ` ignoring case`. */
export function callTouches(access: "reads" | "writes", globs: readonly string[], after = ""): string {
  return globs.map((glob) => `call ${access} ${JSON.stringify(glob)}${after}`).join(" or ");
}

/** An inline hook on tool calls. */
export function onToolCall(name: string, docs: string, rows: readonly PackRule[], priority = 20): PackHook {
  return {
    name,
    type: "inline",
    matcher: { events: ["PreToolUse"] },
    rules: ruleLines(rows),
    rows,
    priority,
    docs,
  };
}
