/** Tells that something of a lower scope does not count, by its path in the section and why. */
export type Tell = (path: string, why: string) => void;

/** Who stands below: a user chooses freely where managed files are silent, a project is bound by the defaults too. */
export type Lower = "user" | "project";

const UPPER_SAYS = "a higher scope has set it";

/** Two lists under one key, each item once; nothing when there is neither. */
export function union<Key extends string>(
  key: Key,
  first: readonly string[] | undefined,
  second: readonly string[] | undefined,
): { [Name in Key]?: string[] } {
  const all: { [Name in Key]?: string[] } = {};
  if (first !== undefined || second !== undefined)
    all[key] = [...new Set([...(first ?? []), ...(second ?? [])])];
  return all;
}

/** What the higher scopes say, and of the lower one what they leave open. */
export function chosenWhereOpen<Value extends object>(
  upper: Value,
  lower: Value,
  tell: Tell,
  keys: readonly (keyof Value & string)[],
): Value {
  const chosen = { ...upper };
  for (const key of keys) {
    if (lower[key] === undefined) continue;
    if (upper[key] === undefined) chosen[key] = lower[key];
    else if (JSON.stringify(upper[key]) !== JSON.stringify(lower[key])) tell(key, UPPER_SAYS);
  }
  return chosen;
}

/** The default, for whom it is a bound. */
export function bound<Word>(who: Lower, word: Word): Word | undefined {
  return who === "project" ? word : undefined;
}

/** Numbers that a lower scope can only make smaller. */
export function onlyLower<Key extends string>(
  upper: { readonly [Name in NoInfer<Key>]?: number },
  lower: { readonly [Name in NoInfer<Key>]?: number },
  defaults: Readonly<Record<Key, number>>,
  tell: Tell,
  who: Lower,
): { [Name in Key]?: number } {
  const chosen: { [Name in Key]?: number } = {};
  for (const key in defaults) {
    const most = upper[key] ?? bound(who, defaults[key]) ?? Number.POSITIVE_INFINITY;
    const wanted = lower[key];
    if (wanted !== undefined && wanted > most) tell(key, `${most} is the most a higher scope allows`);
    const value = wanted !== undefined && wanted <= most ? wanted : upper[key];
    if (value !== undefined) chosen[key] = value;
  }
  return chosen;
}

/** One of several words that are in order from loose to strict, some of them equally so: only ever stricter. */
export function stricter<Key extends string, Word extends string>(
  key: Key,
  order: readonly (Word | readonly Word[])[],
  upper: Word | undefined,
  lower: Word | undefined,
  otherwise: Word | undefined,
  tell: Tell,
): { [Name in Key]?: Word } {
  const rank = (word: Word | undefined): number =>
    order.findIndex((step) => (typeof step === "string" ? step === word : step.some((one) => one === word)));
  const chosen: { [Name in Key]?: Word } = {};
  const least = upper ?? otherwise;
  const takes =
    lower !== undefined &&
    (rank(lower) > rank(least) || (upper === undefined && rank(lower) === rank(least)));
  if (takes) chosen[key] = lower;
  else if (upper !== undefined) chosen[key] = upper;
  if (lower !== undefined && rank(lower) < rank(least)) tell(key, `it would be looser than ${least}`);
  return chosen;
}
