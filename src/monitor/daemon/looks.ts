/** How often the daemon looks for what nobody reports: processes that have ended, times that are over. */
const LOOK_MILLISECONDS = 1000;
/** Changes that come together need one look. */
const SOON_MILLISECONDS = 50;

export interface Looks {
  /** Something has changed: does not wait for the next interval. */
  soon(): void;
  /** Resolves when the last look has ended. */
  close(): Promise<void>;
}

/** Looks at intervals, one look at a time. A look that takes long delays the next one. */
export function startLooks(
  look: () => Promise<void>,
  onError: (error: unknown) => void,
  milliseconds = LOOK_MILLISECONDS,
): Looks {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let changed = true;
  let closed = false;
  const later = (): void => {
    clearTimeout(timer);
    if (!closed)
      timer = setTimeout(begin, changed ? Math.min(SOON_MILLISECONDS, milliseconds) : milliseconds);
  };
  const begin = (): void => {
    changed = false;
    running = look()
      .catch(onError)
      .finally(() => {
        running = undefined;
        later();
      });
  };
  later();
  return {
    soon() {
      if (changed) return;
      changed = true;
      if (running === undefined) later();
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
