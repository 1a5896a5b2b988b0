export const SHORTEST_TAG = 4;

/**
 * The ends of ids, long enough to tell each from the others. Not their beginnings, which are the time in the ids of many agents.
 */
export function tagsOf(ids: readonly string[]): (id: string) => string {
  const all = [...new Set(ids)];
  const longest = Math.max(0, ...all.map((id) => id.length));
  const differ = (length: number): boolean => new Set(all.map((id) => id.slice(-length))).size === all.length;
  let length = SHORTEST_TAG;
  while (length < longest && !differ(length)) length += 1;
  return (id) => id.slice(-length);
}

/** The tag of one id alone. */
export function tagOf(id: string): string {
  return id.slice(-SHORTEST_TAG);
}
