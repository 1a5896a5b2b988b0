const LOOK_MILLISECONDS = 1000;

interface IdleOptions {
  /** How long nobody has to need the daemon. */
  readonly milliseconds: number;
  /** When it was last used, in milliseconds since 1970. */
  readonly lastUse: () => number;
  /** Whether it has something to do by itself. */
  readonly isNeeded: () => Promise<boolean>;
  readonly onIdle: () => void;
}

/** Calls `onIdle` once nobody has needed the daemon for some time. Returns a function that ends the watch. */
export function watchIdle({ milliseconds, lastUse, isNeeded, onIdle }: IdleOptions): () => void {
  let since = Date.now();
  const timer = setInterval(
    async () => {
      since = Math.max(since, lastUse());
      if (Date.now() - since < milliseconds) return;
      if (!(await isNeeded().catch(() => true))) onIdle();
      since = Date.now();
    },
    Math.min(LOOK_MILLISECONDS, milliseconds),
  );
  return () => clearInterval(timer);
}
