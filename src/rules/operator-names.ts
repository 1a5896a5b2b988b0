/**
 * What an operator takes as its value.
 * `any`: text, number or boolean. `list`: several of these. `flag`: nothing, or true or false. `none`: nothing.
 */
export type OperatorValue = "any" | "text" | "number" | "list" | "flag" | "none";

/**
 * Every operator by name: other names it answers to, what it takes, and whether it is asked of shell text. What an
 * operator does stands in `operators.ts`, keyed by this table.
 */
export const OPERATOR_NAMES = {
  equals: { aliases: ["eq", "is"], value: "any", shell: false },
  not_equals: { aliases: ["ne", "is_not"], value: "any", shell: false },
  contains: { aliases: [], value: "any", shell: false },
  starts_with: { aliases: [], value: "any", shell: false },
  ends_with: { aliases: [], value: "any", shell: false },
  glob: { aliases: [], value: "text", shell: false },
  matches: { aliases: ["regex"], value: "text", shell: false },
  in: { aliases: [], value: "list", shell: false },
  exists: { aliases: [], value: "flag", shell: false },
  gt: { aliases: [], value: "number", shell: false },
  gte: { aliases: [], value: "number", shell: false },
  lt: { aliases: [], value: "number", shell: false },
  lte: { aliases: [], value: "number", shell: false },
  runs: { aliases: [], value: "text", shell: true },
  reads: { aliases: [], value: "text", shell: true },
  writes: { aliases: [], value: "text", shell: true },
  connects: { aliases: [], value: "text", shell: true },
  dynamic: { aliases: [], value: "none", shell: true },
} as const satisfies Record<
  string,
  { readonly aliases: readonly string[]; readonly value: OperatorValue; readonly shell: boolean }
>;

/** The name of an operator. */
export type OperatorName = keyof typeof OPERATOR_NAMES;

const ALIASES = new Map<string, OperatorName>();
for (const name of Object.keys(OPERATOR_NAMES)) {
  if (isOperatorName(name)) for (const alias of OPERATOR_NAMES[name].aliases) ALIASES.set(alias, name);
}

function isOperatorName(word: string): word is OperatorName {
  return Object.hasOwn(OPERATOR_NAMES, word);
}

/** The operator a word stands for, by its name or an alias. */
export function operatorNamed(word: string): OperatorName | undefined {
  return isOperatorName(word) ? word : ALIASES.get(word);
}

/** Every word that names an operator, for suggestions. */
export function operatorSpellings(): readonly string[] {
  return [...Object.keys(OPERATOR_NAMES), ...ALIASES.keys()];
}
