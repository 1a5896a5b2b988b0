import { setTimeout as sleep } from "node:timers/promises";

const POLL_MILLISECONDS = 300;
/** So much of the end tells where a text goes on. */
const TAIL_CHARACTERS = 1000;

/**
 * Writes what a text grows by, until the signal is aborted or there is nothing to read any more (`undefined`).
 *
 * @param shown what is written already.
 */
export async function followText(
  shown: string,
  read: () => Promise<string | undefined>,
  write: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  for (let before = shown; !signal.aborted; ) {
    await sleep(POLL_MILLISECONDS, undefined, { signal }).catch(() => undefined);
    const now = await read();
    if (now === undefined) return;
    // The beginning drops out when the text grows.
    const tail = before.slice(-TAIL_CHARACTERS);
    const at = now.lastIndexOf(tail);
    const more = at === -1 ? now : now.slice(at + tail.length);
    if (more !== "") write(more);
    before = now;
  }
}
