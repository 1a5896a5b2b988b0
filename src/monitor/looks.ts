import { errorMessage } from "../core/base/error-text.ts";

/** How often the daemon looks: for what nobody reports, and for what is to be done about what was reported. */
const LOOK_MILLISECONDS = 1000;

export interface Looks {
  /** Resolves when the last look has ended. */
  close(): Promise<void>;
}

/** Looks at once and then at intervals, one look at a time. A look that takes long delays the next one. */
export function startLooks(
  look: () => Promise<void>,
  onError: (error: unknown) => void,
  milliseconds = LOOK_MILLISECONDS,
): Looks {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  let closed = false;
  const begin = (): void => {
    running = look()
      .catch(onError)
      .then(() => {
        if (!closed) timer = setTimeout(begin, milliseconds);
      });
  };
  begin();
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await running;
    },
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
