import type { ChildProcess } from "node:child_process";

/**
 * A pipe that another process holds counts as empty after this long without data. Later output is lost, so it is long
 * enough for a busy machine.
 */
const QUIET_MILLISECONDS = 250;
/** How long such a pipe is read at most. */
const LONGEST_MILLISECONDS = 500;
/** How long to wait for a reply that must not be lost. */
const PATIENT_MILLISECONDS = 3000;
const STEP_MILLISECONDS = 25;

/**
 * Waits for the remaining output of a program that has exited, and calls back once. True: its pipes have ended, which
 * is the usual case. False: something it started holds them. Waits a moment for output that a helper such as `tee`
 * still passes on; with `answered`, up to 3 s until it returns true for a held stdout.
 */
export function whenDrained(
  child: ChildProcess,
  callback: (released: boolean) => void,
  answered?: () => boolean,
): void {
  const open = [child.stdout, child.stderr].flatMap((stream) => (isOpen(stream) ? [stream] : []));
  if (open.length === 0) {
    callback(true);
    return;
  }
  const began = performance.now();
  let heardAt = began;
  let timer: NodeJS.Timeout | undefined;
  let over = false;
  const finish = (released: boolean): void => {
    over = true;
    clearTimeout(timer);
    for (const stream of open) stream.off("data", onData).off("end", onEnd).off("close", onEnd);
    callback(released);
  };
  const onData = (): void => {
    heardAt = performance.now();
  };
  const onEnd = (): void => {
    if (!over && !open.some(isOpen)) finish(true);
  };
  const isDone = (): boolean => {
    const now = performance.now();
    if (answered !== undefined && isOpen(child.stdout))
      return answered() || now > began + PATIENT_MILLISECONDS;
    return now >= heardAt + QUIET_MILLISECONDS || now > began + LONGEST_MILLISECONDS;
  };
  const look = (): void => {
    if (over) return;
    if (isDone()) finish(false);
    else wait();
  };
  const wait = (): void => {
    timer = setTimeout(afterReading, STEP_MILLISECONDS, look);
  };
  for (const stream of open) stream.on("data", onData).on("end", onEnd).on("close", onEnd);
  wait();
}

/** True for a pipe that has not ended. */
export function isOpen(stream: ChildProcess["stdout"]): stream is NonNullable<ChildProcess["stdout"]> {
  return stream !== null && !stream.readableEnded && !stream.destroyed;
}

/**
 * Calls back once everything in the pipes has been read. A timer alone is not enough: when our process was busy, it
 * fires before the pipes are read. They are read between two immediates.
 */
export function afterReading(callback: () => void): void {
  setImmediate(() => setImmediate(() => setImmediate(callback)));
}
