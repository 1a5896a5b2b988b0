import { ignore } from "../../core/base/error-text.ts";

export interface Open {
  close(reason: string): Promise<unknown>;
  /** Ends it synchronously: nothing can be awaited any more. */
  endNow(reason: string): void;
}

/** How long an uncaught error may be delayed. */
const CLOSING_MILLISECONDS = 5000;

const open = new Set<Open>();

/**
 * Closes something when the process runs out of work, and before an uncaught error ends it. On `process.exit` only
 * synchronous work is done.
 *
 * @returns a function that takes it back.
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
  for (const thing of [...open]) ignore(thing.close("exit"));
}

function onExit(code: number): void {
  for (const thing of [...open]) thing.endNow(code === 0 ? "exit" : "error");
}

/**
 * Closes everything, then lets the error end the process. Does nothing if the user handles such errors.
 */
function onError(error: unknown): void {
  if (process.listenerCount("uncaughtException") > 1) return;
  process.off("uncaughtException", onError);
  const end = (): void => {
    clearTimeout(timer);
    endWith(error);
  };
  const timer = setTimeout(end, CLOSING_MILLISECONDS);
  Promise.allSettled([...open].map((thing) => thing.close("error"))).then(end);
}

/**
 * Ends the process with an error that nobody caught. Node prints the line of the user's that threw for an unhandled
 * rejection, but our own line for what is thrown here; so it is thrown only if the rejection does not end the process.
 */
function endWith(error: unknown): void {
  if (error instanceof Error && process.listenerCount("unhandledRejection") === 0) Promise.reject(error);
  setImmediate(() => {
    throw error;
  });
}
