import type { Clock } from "../base/clock.ts";

/** Why a hook is stopped. */
export type StopReason = "timeout" | "cancelled";

/** A run of a hook that is waited for. */
interface Waiting {
  readonly ends: number;
  readonly stop: (why: StopReason) => void;
}

/** Stops the hooks of one event at their deadline or when the caller cancels, with one timer and one abort listener. */
export class Deadlines {
  private readonly clock: Clock;
  private readonly signal: AbortSignal | undefined;
  private readonly waiting = new Set<Waiting>();
  private timer: { readonly at: number; readonly cancel: () => void } | undefined;
  private isListening = false;

  constructor(clock: Clock, signal: AbortSignal | undefined) {
    this.clock = clock;
    this.signal = signal;
  }

  /**
   * Calls `stop` once, when the time is up or the caller cancels.
   *
   * @returns a function that stops watching.
   * @throws when the caller's signal is not an AbortSignal.
   */
  watch(started: number, milliseconds: number, stop: Waiting["stop"]): () => void {
    if (this.signal?.aborted === true) queueMicrotask(this.cancelAll);
    else if (!this.isListening) {
      this.signal?.addEventListener("abort", this.onAbort);
      this.isListening = true;
    }
    const waiting = { ends: started + milliseconds, stop };
    this.waiting.add(waiting);
    this.setTimer(waiting.ends);
    return () => this.waiting.delete(waiting);
  }

  /** Ends the timer and the listener. Call it when no hook is waited for any more. */
  close(): void {
    this.timer?.cancel();
    this.timer = undefined;
    if (this.isListening) this.signal?.removeEventListener("abort", this.onAbort);
    this.isListening = false;
  }

  /** Reads the clock: a hook may have worked synchronously since it started, which counts. */
  private setTimer(at: number): void {
    if (this.timer !== undefined && this.timer.at <= at) return;
    this.timer?.cancel();
    const now = this.clock.monotonic();
    this.timer = { at, cancel: this.clock.after(Math.max(0, at - now), () => this.onTime(at)) };
  }

  private onTime(at: number): void {
    this.timer = undefined;
    const now = Math.max(at, this.clock.monotonic());
    this.stopAll("timeout", ({ ends }) => ends <= now);
    const next = Math.min(...Array.from(this.waiting, ({ ends }) => ends));
    if (next !== Infinity) this.setTimer(next);
  }

  /** Later than the abort itself, so that a hook that had answered before it still counts. */
  private readonly onAbort = (): void => queueMicrotask(this.cancelAll);

  private readonly cancelAll = (): void => this.stopAll("cancelled", () => true);

  private stopAll(why: StopReason, isDue: (waiting: Waiting) => boolean): void {
    for (const waiting of [...this.waiting])
      if (isDue(waiting) && this.waiting.delete(waiting)) waiting.stop(why);
  }
}

/** Waits for a promise, but no longer than until the caller cancels. */
export async function orCancelled(waiting: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) {
    await waiting;
    return;
  }
  await new Promise((resolve, reject) => {
    const cancelled = (): void => resolve(undefined);
    if (signal.aborted) cancelled();
    signal.addEventListener("abort", cancelled, { once: true });
    waiting.then(resolve, reject).finally(() => signal.removeEventListener("abort", cancelled));
  });
}
