export { shortPath } from "../node/user-folders.ts";

/** `1 hook`, `2 hooks`. */
export function counted(number: number, one: string): string {
  return `${number} ${number === 1 ? one : `${one}s`}`;
}

/** `48k`. */
export function tokensText(tokens: number): string {
  return tokens < 1000 ? String(tokens) : `${Math.round(tokens / 1000)}k`;
}
