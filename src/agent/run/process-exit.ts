import { ignore } from "../../core/base/error-text.ts";

export interface Open {
  close(reason: string): Promise<unknown>;
  /** Ends it synchronously: nothing can be awaited any more. */
  endNow(reason: string): void;
}

interface Entry {
  readonly owner: WeakRef<object>;
  /** What remains to be done once the owner was freed. */
  readonly remains: Open;
}

/** How long an uncaught error may be delayed. */
const CLOSING_MILLISECONDS = 5000;

const open = new Set<Entry>();
const closers = new WeakMap<object, Open>();

/** Ends what nobody can close any more, because its owner is gone. */
const freed = new FinalizationRegistry<Entry>((entry) => {
  forget(entry);
  ignore(entry.remains.close("freed"));
});

/**
 * Closes something when the process runs out of work, and before an uncaught error ends it. On `process.exit` only
 * synchronous work is done. Does not keep the owner in memory: when it is freed first, what remains is closed instead.
 *
 * @param thing may hold the owner.
 * @param remains must not hold the owner, which else is never freed.
 * @returns a function that takes it back.
 */
export function closeAtExit(owner: object, thing: Open, remains: Open): () => void {
  if (open.size === 0) listen();
  const entry: Entry = { owner: new WeakRef(owner), remains };
  open.add(entry);
  closers.set(owner, thing);
  freed.register(owner, entry, entry);
  return () => {
    freed.unregister(entry);
    forget(entry);
  };
}

function forget(entry: Entry): void {
  if (open.delete(entry) && open.size === 0) unlisten();
}

/** Everything that is to be closed now. What remains of an owner that is gone is listed once. */
function allOpen(): readonly Open[] {
  return [...open].map((entry) => {
    const owner = entry.owner.deref();
    const thing = owner === undefined ? undefined : closers.get(owner);
    if (thing !== undefined) return thing;
    freed.unregister(entry);
    forget(entry);
    return entry.remains;
  });
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
  for (const thing of allOpen()) ignore(thing.close("exit"));
}

function onExit(code: number): void {
  for (const thing of allOpen()) thing.endNow(code === 0 ? "exit" : "error");
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
  Promise.allSettled(allOpen().map((thing) => thing.close("error"))).then(end);
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
