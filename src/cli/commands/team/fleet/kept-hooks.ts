import { type OpenedHooks, openHooks } from "../../../../project.ts";

/** Folders whose hooks are kept although no run is in them. */
const MOST_UNUSED = 20;

/** The hooks of a folder. */
interface Kept {
  readonly opening: Promise<OpenedHooks>;
  /** How many runs use them. */
  users: number;
  /** The end of their processes, once nobody used them any more. */
  ending: Promise<void>;
}

/** The hooks of the folders in which a worker has runs. */
export interface KeptHooks {
  /** The hooks of a folder, as its files are now and as they change. Close them when the run has ended. */
  open(folder: string): Promise<OpenedHooks>;
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
    opening.catch(() => kept.delete(folder));
    return { opening, users: 0, ending: Promise.resolve() };
  };
  const forgetUnused = async (): Promise<void> => {
    const unused = [...kept].filter(([, { users }]) => users === 0).slice(0, -MOST_UNUSED);
    // Before anything is awaited: nobody may open what is about to be closed.
    for (const [folder] of unused) kept.delete(folder);
    for (const [, { opening }] of unused) await (await opening).close();
  };
  const release = async (one: Kept, { hooks }: OpenedHooks): Promise<void> => {
    one.users -= 1;
    if (one.users > 0) return;
    one.ending = hooks.settled().then(() => hooks.close());
    await one.ending;
    await forgetUnused();
  };

  return {
    async open(folder) {
      const one = kept.get(folder) ?? keep(folder);
      // The last used come last, and the first are forgotten.
      kept.delete(folder);
      kept.set(folder, one);
      one.users += 1;
      const opened = await one.opening;
      await one.ending;
      await opened.refresh();
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
    },
    async close() {
      for (const { opening } of kept.values()) await (await opening).close();
      kept.clear();
    },
  };
}
