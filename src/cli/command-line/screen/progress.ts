import type { Screen } from "./screen.ts";

/** What takes less time needs no word. */
const PATIENCE_MILLISECONDS = 400;

/** On a terminal, says what takes long until the function that it returns is called. */
export function progress({ interactive, write }: Screen, text: string): () => void {
  if (!interactive) return () => {};
  let isShown = false;
  const timer = setTimeout(() => {
    isShown = true;
    write(`  ${text}`);
  }, PATIENCE_MILLISECONDS);
  return () => {
    clearTimeout(timer);
    if (isShown) write("\r\u001b[K");
    isShown = false;
  };
}
