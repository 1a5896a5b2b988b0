import { createInterface } from "node:readline/promises";
import type { Invocation } from "./command.ts";

/** Asks a question on the terminal; anything but yes is no. */
export async function confirm(question: string, { signal }: Pick<Invocation, "signal">): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // The terminal is in raw mode, so Ctrl-C comes here and not to the process.
  terminal.on("SIGINT", () => process.emit("SIGINT"));
  try {
    const answer = await terminal.question(`${question} [y/N] `, { signal });
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
