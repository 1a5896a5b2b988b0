/** Stands for every hook, and only together with a time. */
export const EVERYTHING = "*";

export interface OffEntry {
  /** A hook, a pack, a rule of one, or {@link EVERYTHING}. */
  readonly name: string;
  /** When it is on again, as it is written. */
  readonly until?: string;
}

/** An item of `hooks.disabled`: a name, or `git-force-push until 2026-03-09T14:30:00Z`. */
export function offEntry(text: string): OffEntry {
  const [, name, until] = /^(.*\S)\s+until\s+(\S+)$/.exec(text) ?? [];
  return name === undefined || until === undefined ? { name: text } : { name, until };
}

/** What is wrong with such an item; `undefined` for a right one. */
export function offProblem(text: string): string | undefined {
  const { name, until } = offEntry(text);
  if (until !== undefined && Number.isNaN(Date.parse(until)))
    return `${JSON.stringify(until)} is no time, such as 2026-03-09T14:30:00Z.`;
  return name === EVERYTHING && until === undefined
    ? 'Everything can be off only for a while: "* until 2026-03-09T14:30:00Z".'
    : undefined;
}
