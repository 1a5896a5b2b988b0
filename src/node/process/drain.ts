import type { ChildProcess } from "node:child_process";

/**
 * How long nothing may come from a pipe that something still holds before it counts as empty. An answer that is passed on
 * later is lost, so it is long enough for a busy machine.
 */
const QUIET_MILLISECONDS = 250;
/** How long what comes from such a pipe is read at most. */
const LONGEST_MILLISECONDS = 500;
/** How long an answer that must not be lost is waited for. */
const PATIENT_MILLISECONDS = 3000;
/** How often to look. */
const STEP_MILLISECONDS = 25;

/**
 * Waits for the output of a program that is over, and calls back once. True: its pipes have ended, as they do at once
 * for nearly every program. False: something it started holds them. What a helper such as `tee` still passes on is
 * waited for, a moment at most; with `answered` up to 3 s until it says that stdout, if that is held, has all it needs.
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
 * Calls back once everything that is in the pipes has been read. A timer alone says nothing: when our process was busy
 * it fires before the pipes are looked at. Between two immediates they are.
 */
function afterReading(callback: () => void): void {
  setImmediate(() => setImmediate(() => setImmediate(callback)));
}
