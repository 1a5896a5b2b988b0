/** A text as one word of a POSIX shell: quoted where it has other characters than plain words have. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
