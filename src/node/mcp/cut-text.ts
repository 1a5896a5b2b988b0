/** The end of a text, at most so long, without half a character. */
export function endOf(text: string, length: number): string {
  return text.slice(-length).replace(/^[\udc00-\udfff]/, "");
}

/** The beginning of a text, at most so long, without half a character. */
export function beginningOf(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, "");
}
