import { askLine } from "./ask-line.ts";
import type { Invocation } from "./command.ts";

/** Asks a question on the terminal; anything but yes is no. */
export async function confirm(question: string, { signal }: Pick<Invocation, "signal">): Promise<boolean> {
  const answer = await askLine(`${question} [y/N] `, signal);
  return answer !== undefined && /^y(es)?$/i.test(answer.trim());
}
