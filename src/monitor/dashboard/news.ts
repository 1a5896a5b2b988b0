import type { MonitorStore } from "../../shared/monitor/monitor.ts";

/** At most so often, a change is told. The first one is told at once. */
const PAUSE_MILLISECONDS = 1000;

export type News = ReturnType<typeof createNews>;

/** Tells those who listen that something has changed, without flooding them. */
export function createNews() {
  const all = new Set<() => void>();
  let last = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  const tell = (): void => {
    timer = undefined;
    last = performance.now();
    for (const listener of [...all]) listener();
  };
  return {
    changed(): void {
      if (timer !== undefined || all.size === 0) return;
      timer = setTimeout(tell, Math.max(0, last + PAUSE_MILLISECONDS - performance.now()));
      timer.unref();
    },
    /** @returns what ends it. */
    listen(listener: () => void): () => void {
      all.add(listener);
      return () => void all.delete(listener);
    },
    listeners: () => all.size,
  };
}

/** The store, which tells when something in it has changed. */
export function tellingStore(store: MonitorStore, { changed }: News): MonitorStore {
  return {
    ...store,
    async update(work) {
      const result = await store.update(work);
      changed();
      return result;
    },
  };
}
