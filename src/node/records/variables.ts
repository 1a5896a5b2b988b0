export type Environment = Readonly<Record<string, string | undefined>>;

export interface Variable {
  readonly name: string;
  readonly value: string;
}

/** Shorter values can't be distinguished from other text. */
export const LEAST_VALUE = 8;

/** The variables whose values are long enough to look for. */
export function variablesOf(environment: Environment): readonly Variable[] {
  return Object.entries(environment)
    .map(([name, value = ""]) => ({ name, value: value.trim() }))
    .filter(({ value }) => value.length >= LEAST_VALUE);
}

export function keyOf({ name, value }: Variable): string {
  return `${name}=${value}`;
}

const PLAIN = /^[\w.~-]+$/;

/** How a value can appear in text: as it is, in JSON, in a URL. */
export function writtenAs(value: string): readonly string[] {
  if (PLAIN.test(value)) return [value];
  const forms = new Set([value, JSON.stringify(value).slice(1, -1)]);
  try {
    forms.add(encodeURIComponent(value));
  } catch {
    // Half a surrogate pair can't be in a URL.
  }
  return [...forms];
}
