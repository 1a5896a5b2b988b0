import { setTimeout as after } from "node:timers/promises";
import { endPrompt, type GivenAnswer, isLeft, PAUSE_MILLISECONDS, takeFor } from "./answers.ts";

/** How often a hook looks whether its agent has the answer already, and how long it may wait. */
const LOOK_MILLISECONDS = 500;

/** A prompt that a hook waits at. */
export interface WaitedPrompt {
  readonly id: string;
  /** How long it may wait in all. Asked again and again: its user may go away meanwhile, or come back. */
  readonly milliseconds: () => number;
  /** True when the agent has its answer: its user was faster at the terminal. */
  readonly isAnswered?: (() => boolean) | undefined;
}

/**
 * How a wait ended. `time`: nobody answered. `terminal`: the agent shows that its user answered there. `closed`: the monitor knows
 * that no answer is needed. In all of these an answer that comes later finds the prompt closed. `aborted`: by the signal.
 */
export type WaitEnd =
  | { readonly given: GivenAnswer }
  | { readonly end: "time" | "terminal" | "closed" | "aborted" };

/** Waits for a human's answer to a prompt. Never rejects. */
export async function waitAtPrompt(
  { id, milliseconds, isAnswered = () => false }: WaitedPrompt,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<WaitEnd> {
  // Not by the clock, which may be set meanwhile.
  const began = performance.now();
  let looked = began;
  let most = milliseconds();
  const atTerminal = async (): Promise<WaitEnd> => {
    await endPrompt(id, environment);
    return { end: "terminal" };
  };
  for (;;) {
    if (signal.aborted) return { end: "aborted" };
    const now = performance.now();
    if (now - looked >= LOOK_MILLISECONDS) {
      looked = now;
      most = milliseconds();
      if (isAnswered()) return atTerminal();
    }
    // Too late: the agent would not read it.
    if (isLeft(id, environment) && isAnswered()) return atTerminal();
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
