import { setMaxListeners } from "node:events";

/** A controller whose signal any number of tools may listen to; Node warns about more than ten listeners otherwise. */
export function sharedController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
