/** Variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable that has a value. */
export interface Variable {
  readonly name: string;
  readonly value: string;
}

/** Nothing shorter can be told from other text. */
export const LEAST_VALUE = 8;

/** The variables that are long enough to be looked for, without what surrounds their values. */
export function variablesOf(environment: Environment): readonly Variable[] {
  return Object.entries(environment)
    .map(([name, value = ""]) => ({ name, value: value.trim() }))
    .filter(({ value }) => value.length >= LEAST_VALUE);
}

/** A variable by its name and value. */
export function keyOf({ name, value }: Variable): string {
  return `${name}=${value}`;
}

const PLAIN = /^[\w.~-]+$/;

/** A value as it stands in texts: as it is, inside JSON, inside an address. */
export function writtenAs(value: string): readonly string[] {
  if (PLAIN.test(value)) return [value];
  const forms = new Set([value, JSON.stringify(value).slice(1, -1)]);
  try {
    forms.add(encodeURIComponent(value));
  } catch {
    // Half a character can't be in an address.
  }
  return [...forms];
}

/** What a value has in common with all ways to write it. */
export function coreOf(value: string): string {
  if (PLAIN.test(value)) return value;
  let longest = "";
  for (const part of value.split(/[^A-Za-z\d]+/)) if (part.length > longest.length) longest = part;
  return longest;
}
