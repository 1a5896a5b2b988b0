import { createInterface } from "node:readline/promises";

/**
 * Asks for one line on the terminal; `undefined` when it ends there (Ctrl-D).
 *
 * @throws the reason of the signal when it is aborted first.
 */
export async function askLine(question: string, signal: AbortSignal): Promise<string | undefined> {
  signal.throwIfAborted();
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // The terminal is in raw mode, so Ctrl-C comes here and not to the process.
  terminal.on("SIGINT", () => process.emit("SIGINT"));
  // Without this a question nobody answers any more would wait for ever.
  const ended = new Promise<undefined>((resolve) => {
    terminal.once("close", () => resolve(undefined));
  });
  try {
    return await Promise.race([terminal.question(question, { signal }), ended]);
  } finally {
    terminal.close();
  }
}
