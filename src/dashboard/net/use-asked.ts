import { useEffect, useState } from "preact/hooks";
import { ask } from "./ask.ts";

export interface Asked<Reply> {
  readonly reply: Reply | undefined;
  readonly problem: string | undefined;
  /** True while a newer reply is on its way. */
  readonly loading: boolean;
  readonly again: () => void;
}

/** Asks the server, and again whenever `path` or `changes` differ. The last reply stays until then. */
export function useAsked<Reply>(path: string | undefined, changes: unknown = 0): Asked<Reply> {
  const [state, set] = useState<{ path?: string; reply?: Reply; problem?: string; loading: boolean }>({
    loading: true,
  });
  const [times, setTimes] = useState(0);
  useEffect(() => {
    if (path === undefined) return undefined;
    const ending = new AbortController();
    set((before) => ({ ...(before.path === path ? before : {}), path, loading: true }));
    ask<Reply>(path, undefined, ending.signal).then(
      (reply) => set({ path, reply, loading: false }),
      (error: Error) => {
        if (!ending.signal.aborted) set((before) => ({ ...before, problem: error.message, loading: false }));
      },
    );
    return () => ending.abort();
  }, [path, changes, times]);
  const isOther = state.path !== path;
  return {
    reply: isOther ? undefined : state.reply,
    problem: isOther ? undefined : state.problem,
    loading: isOther || state.loading,
    again: () => setTimes((count) => count + 1),
  };
}

const LOOK_MILLISECONDS = 2000;

/** Asks again every few seconds while there is nothing to show. */
export function useAgainWhile(isEmpty: boolean, again: () => void): void {
  useEffect(() => {
    if (!isEmpty) return undefined;
    const timer = setInterval(again, LOOK_MILLISECONDS);
    return () => clearInterval(timer);
  }, [isEmpty]);
}
