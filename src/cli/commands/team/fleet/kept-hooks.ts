import { ignore } from "../../../../core/base/error-text.ts";
import { internals } from "../../../../core/internals.ts";
import { raceAbort } from "../../../../node/process/deadline.ts";
import { type OpenedHooks, openHooks } from "../../../../project.ts";

/** Folders whose hooks are kept although no run is in them. */
const MOST_UNUSED = 20;

interface Kept {
  readonly opening: Promise<OpenedHooks>;
  users: number;
  /** The end of their processes, once nobody used them any more. Never rejects. */
  ending: Promise<void>;
}

export interface KeptHooks {
  /**
   * The hooks of a folder, as its files are now and as they change. Close them when the run has ended.
   *
   * @throws the reason of the signal when it is aborted first.
   */
  open(folder: string, signal: AbortSignal): Promise<OpenedHooks>;
  /** Ends what is kept. Call it when no run is left. */
  close(): Promise<void>;
}

/**
 * Opens the hooks of each folder once, for all runs there: they follow every file that they were made of. Their processes
 * end with the last run that uses them.
 */
export function keptHooks(environment: NodeJS.ProcessEnv, report: (message: string) => void): KeptHooks {
  const kept = new Map<string, Kept>();

  const keep = (folder: string): Kept => {
    const opening = openHooks({ cwd: folder, environment, report });
    const one = { opening, users: 0, ending: Promise.resolve() };
    opening.catch(() => {
      if (kept.get(folder) === one) kept.delete(folder);
    });
    return one;
  };
  const forgetUnused = async (): Promise<void> => {
    const unused = [...kept].filter(([, { users }]) => users === 0).slice(0, -MOST_UNUSED);
    // Before anything is awaited: nobody may open what is about to be closed.
    for (const [folder] of unused) kept.delete(folder);
    for (const [, one] of unused) await end(one);
  };
  const leave = async (one: Kept): Promise<void> => {
    one.users -= 1;
    if (one.users > 0) return;
    one.ending = one.opening.then(({ hooks }) => hooks.close()).catch(() => undefined);
    await one.ending;
    await forgetUnused();
  };
  const release = async (one: Kept, { hooks }: OpenedHooks): Promise<void> => {
    const { background } = internals(hooks);
    // Those of other runs need not be waited for: they may begin without end.
    do await Promise.all(background);
    while (one.users === 1 && background.size > 0);
    await leave(one);
  };
  const ready = async (one: Kept): Promise<OpenedHooks> => {
    const opened = await one.opening;
    await one.ending;
    await opened.refresh();
    return opened;
  };

  return {
    async open(folder, signal) {
      signal.throwIfAborted();
      const one = kept.get(folder) ?? keep(folder);
      // The last used come last, and the first are forgotten.
      kept.delete(folder);
      kept.set(folder, one);
      one.users += 1;
      try {
        const opened = await raceAbort(ready(one), signal);
        return {
          hooks: opened.hooks,
          get config() {
            return opened.config;
          },
          get failing() {
            return opened.failing;
          },
          refresh: opened.refresh,
          onChange: opened.onChange,
          close: () => release(one, opened),
        };
      } catch (error) {
        ignore(leave(one));
        throw error;
      }
    },
    async close() {
      for (const one of kept.values()) await end(one);
      kept.clear();
    },
  };
}

async function end({ opening }: Kept): Promise<void> {
  const opened = await opening.catch(() => undefined);
  await opened?.close();
}
