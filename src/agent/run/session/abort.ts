import { setMaxListeners } from "node:events";
import type { Clock } from "../../../core/base/clock.ts";
import { raceAbort } from "../../../node/process/deadline.ts";

/** A controller whose signal any number of tools may listen to; Node warns about more than ten listeners otherwise. */
export function sharedController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/** @throws the reason of the signal when it is aborted meanwhile. */
export async function sleep(milliseconds: number, signal: AbortSignal, clock: Clock): Promise<void> {
  let cancel = (): void => {};
  const waiting = new Promise<void>((resolve) => {
    cancel = clock.after(milliseconds, resolve);
  });
  await raceAbort(waiting, signal).finally(cancel);
}
