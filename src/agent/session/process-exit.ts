/** Something that has to be ended before the process is. */
interface Open {
  /** Ends it in order. */
  close(reason: string): Promise<unknown>;
  /** Ends it at once: nothing can be waited for any more. */
  endNow(reason: string): void;
}

/** How long an error that ends the process is held back for what has to be closed. */
const CLOSING_MILLISECONDS = 5000;

const open = new Set<Open>();

/**
 * Has something closed when the process ends, unless it was forgotten before: when it runs out of work, and before an
 * error that nobody catches ends it. When it is ended by `process.exit`, only what answers at once is heard.
 */
export function closeAtExit(thing: Open): () => void {
  if (open.size === 0) listen();
  open.add(thing);
  return () => {
    if (open.delete(thing) && open.size === 0) unlisten();
  };
}

function listen(): void {
  process.on("beforeExit", onIdle);
  process.on("uncaughtException", onError);
  process.on("exit", onExit);
}

function unlisten(): void {
  process.off("beforeExit", onIdle);
  process.off("uncaughtException", onError);
  process.off("exit", onExit);
}

function onIdle(): void {
  for (const thing of [...open]) thing.close("exit").catch(() => {});
}

function onExit(code: number): void {
  for (const thing of [...open]) thing.endNow(code === 0 ? "exit" : "error");
}

/**
 * What nobody catches ends the process, as it would without us: only later, and once. Who listens for such errors himself
 * decides what becomes of the process.
 */
function onError(error: unknown): void {
  if (process.listenerCount("uncaughtException") > 1) return;
  process.off("uncaughtException", onError);
  const end = (): void => {
    clearTimeout(timer);
    // Not in a promise, where it would be another kind of error.
    setImmediate(() => {
      throw error;
    });
  };
  const timer = setTimeout(end, CLOSING_MILLISECONDS);
  Promise.allSettled([...open].map((thing) => thing.close("error"))).then(end);
}
