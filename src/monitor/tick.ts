import { errorMessage } from "../core/base/error-text.ts";

/** How often the daemon looks: for what nobody reports, and for what is to be done about what was reported. */
const TICK_MILLISECONDS = 1000;

/** One thing that the daemon does at each tick. */
export type Look = () => Promise<unknown>;

export interface Tick {
  /** Resolves when the last look has ended. */
  close(): Promise<void>;
}

/**
 * Does what is in each line at once and then again and again, one after the other. Lines do not wait for each other: one that
 * takes long leaves ticks out.
 */
export function startTick(
  lines: readonly (readonly Look[])[],
  onError: (error: unknown) => void,
  milliseconds = TICK_MILLISECONDS,
): Tick {
  const running = new Map<readonly Look[], Promise<void>>();
  let closed = false;
  const run = async (line: readonly Look[]): Promise<void> => {
    for (const look of line) if (!closed) await look().catch(onError);
    running.delete(line);
  };
  const tick = (): void => {
    for (const line of lines) if (!running.has(line)) running.set(line, run(line));
  };
  tick();
  const timer = setInterval(tick, milliseconds);
  return {
    async close() {
      closed = true;
      clearInterval(timer);
      await Promise.all(running.values());
    },
  };
}

/** A look that is due less often. */
export function every(milliseconds: number, look: Look): Look {
  let next = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() < next) return;
    await look();
    next = performance.now() + milliseconds;
  };
}

/** Reports the same failure once, however often what failed is tried again. */
export function failuresOnce(onError: (error: unknown) => void) {
  let problem: string | undefined;
  return {
    problem: (): string | undefined => problem,
    fail(error: unknown): void {
      const before = problem;
      problem = errorMessage(error);
      if (problem !== before) onError(error);
    },
    succeed(): void {
      problem = undefined;
    },
  };
}
