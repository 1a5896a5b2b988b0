import type { ChildProcess } from "node:child_process";

/** How long nothing may come from a pipe that something still holds before it counts as empty. */
const QUIET_MILLISECONDS = 50;
/** How long what comes from such a pipe is read at most. */
const LONGEST_MILLISECONDS = 250;

/**
 * Waits for the output of a program that is over. True when its pipes are closed, as they are at once for nearly every
 * program; false when something it started holds them. What a helper such as `tee` still passes on is waited for, a
 * moment at most.
 */
export function drained(child: ChildProcess): Promise<boolean> {
  const open = [child.stdout, child.stderr].filter((stream) => stream?.closed === false);
  if (open.length === 0) return Promise.resolve(true);
  return new Promise((resolve) => {
    const deadline = performance.now() + LONGEST_MILLISECONDS;
    let heard = false;
    let over = false;
    const finish = (released: boolean): void => {
      over = true;
      clearTimeout(timer);
      child.off("close", onClose);
      for (const stream of open) stream?.off("data", onData);
      resolve(released);
    };
    const onClose = (): void => finish(true);
    const onData = (): void => {
      heard = true;
    };
    const onQuiet = (): void => {
      if (over) return;
      if (!heard || performance.now() > deadline) finish(false);
      else wait();
    };
    const wait = (): void => {
      heard = false;
      timer = setTimeout(afterReading, QUIET_MILLISECONDS, onQuiet);
    };
    let timer: NodeJS.Timeout | undefined;
    child.once("close", onClose);
    for (const stream of open) stream?.on("data", onData);
    wait();
  });
}

/**
 * Calls back once everything that is in the pipes has been read. A timer alone says nothing: when our process was busy
 * it fires before the pipes are looked at. Between two immediates they are.
 */
function afterReading(callback: () => void): void {
  setImmediate(() => setImmediate(() => setImmediate(callback)));
}
