import { didYouMean, nearestName } from "../../core/base/suggest.ts";

/** The keys of a definition that are read. */
export type DefinitionKey =
  | "name"
  | "description"
  | "model"
  | "tools"
  | "disallowed-tools"
  | "max-iterations";

/** Every key, and the other names other programs have for it. */
const KEYS: Readonly<Record<DefinitionKey, readonly string[]>> = {
  name: [],
  description: [],
  model: [],
  tools: [],
  "disallowed-tools": ["disallowedTools"],
  "max-iterations": ["maxTurns"],
};

/** Keys that only say how another program shows or starts an agent: to leave them out widens nothing. */
const HARMLESS = ["color", "memory", "background", "effort"];

/** How strictly a file is read: one written for us, or one written for another program. */
export type Strictness = "own" | "foreign";

/** What the front matter of a definition says, by our names of the keys, and where: `line 2: `. */
export interface ReadKeys {
  readonly fields: ReadonlyMap<DefinitionKey, { readonly value: unknown; readonly at: string }>;
  /** What is not as its author may have meant it, and stops nothing. */
  readonly warnings: readonly string[];
}

/**
 * Finds out which keys are meant. Hyphens, underscores, spaces and capitals do not count. In a file of ours an unknown key
 * is refused; in a file of another program it is named, unless it looks like one that takes something away: to leave that
 * out would give the agent more than its author meant.
 *
 * @param lineOf the line of a key in the file.
 * @throws Error that names the key, its line and what may have been meant.
 */
export function readKeys(
  front: Readonly<Record<string, unknown>>,
  strictness: Strictness,
  lineOf: (key: string) => number | undefined,
): ReadKeys {
  const fields = new Map<DefinitionKey, { readonly value: unknown; readonly at: string }>();
  const warnings: string[] = [];
  for (const [written, value] of Object.entries(front)) {
    const key = knownKey(written);
    const line = lineOf(written);
    const at = line === undefined ? "" : `line ${line}: `;
    if (key === undefined) {
      const problem = `${at}the key ${JSON.stringify(written)} is not known.${didYouMean(written, Object.keys(KEYS))}`;
      if (strictness === "own" || nearestName(written, NARROWING) !== undefined) throw new Error(problem);
      if (!HARMLESS.includes(plain(written))) warnings.push(problem);
      continue;
    }
    if (fields.has(key)) throw new Error(`${at}${JSON.stringify(written)} says ${key} a second time.`);
    if (written !== key && !KEYS[key].includes(written))
      warnings.push(`${at}${JSON.stringify(written)} is read as ${JSON.stringify(key)}.`);
    fields.set(key, { value, at });
  }
  return { fields, warnings };
}

const NARROWING: readonly DefinitionKey[] = ["tools", "disallowed-tools", "max-iterations"];

function knownKey(written: string): DefinitionKey | undefined {
  const wanted = plain(written);
  for (const [key, names] of entries())
    if ([key, ...names].some((name) => plain(name) === wanted)) return key;
  return undefined;
}

function entries(): readonly (readonly [DefinitionKey, readonly string[]])[] {
  return DEFINITION_KEYS.map((key) => [key, KEYS[key]]);
}

const DEFINITION_KEYS = Object.keys(KEYS).filter((key): key is DefinitionKey => Object.hasOwn(KEYS, key));

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[-_ ]/g, "");
}
