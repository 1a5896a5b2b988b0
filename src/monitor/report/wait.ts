import { setTimeout as after } from "node:timers/promises";
import { endPrompt, type GivenAnswer, PAUSE_MILLISECONDS, takeFor } from "./answers.ts";

/** How often a hook looks how long it may wait. */
const LOOK_MILLISECONDS = 500;

export interface WaitedPrompt {
  readonly id: string;
  /** How long it may wait in all. Asked again and again: its user may go away meanwhile, or come back. */
  readonly milliseconds: () => number;
}

/**
 * How a wait ended. `time`: nobody answered. `closed`: the monitor knows that no answer is needed, since the agent's user was faster
 * at the terminal, for example. In both an answer that comes later finds the prompt closed. `aborted`: by the signal.
 */
export type WaitEnd = { readonly given: GivenAnswer } | { readonly end: "time" | "closed" | "aborted" };

/** Waits for a human's answer to a prompt. Never rejects. */
export async function waitAtPrompt(
  { id, milliseconds }: WaitedPrompt,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<WaitEnd> {
  // Not by the clock, which may be set meanwhile.
  const began = performance.now();
  let looked = began;
  let most = milliseconds();
  for (;;) {
    if (signal.aborted) return { end: "aborted" };
    const now = performance.now();
    if (now - looked >= LOOK_MILLISECONDS) {
      looked = now;
      most = milliseconds();
    }
    const left = takeFor(id, environment);
    if (left !== undefined) return left === "closed" ? { end: "closed" } : { given: left };
    const rest = began + most - now;
    // Otherwise an answer came in this moment.
    if (rest <= 0 && (await endPrompt(id, environment))) return { end: "time" };
    await after(Math.max(1, Math.min(PAUSE_MILLISECONDS, rest)), undefined, { signal }).catch(
      () => undefined,
    );
  }
}
