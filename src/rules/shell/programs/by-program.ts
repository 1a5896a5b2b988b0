const MOST_REMEMBERED = 512;

/**
 * Remembers what a function finds in the tables about a program, so that a later command needs one look-up instead of
 * several. Bounded, since the names come from the lines.
 */
export function byProgram<T extends string | boolean | object>(
  find: (program: string) => T,
): (program: string) => T {
  const remembered = new Map<string, T>();
  return (program) => {
    const known = remembered.get(program);
    if (known !== undefined) return known;
    const found = find(program);
    if (remembered.size < MOST_REMEMBERED) remembered.set(program, found);
    return found;
  };
}
