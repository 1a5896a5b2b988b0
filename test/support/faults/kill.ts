import type { ChildProcess } from "node:child_process";

/** Kills a process in the middle of what it does, as a crash or a lack of memory would. */
export function kill(target: ChildProcess | number): void {
  send(target, "SIGKILL");
}

/** Lets a process stand still, as a busy or sleeping machine would. */
export function freeze(target: ChildProcess | number): void {
  send(target, "SIGSTOP");
}

/** Lets it go on. */
export function thaw(target: ChildProcess | number): void {
  send(target, "SIGCONT");
}

function send(target: ChildProcess | number, signal: NodeJS.Signals): void {
  if (typeof target === "number") process.kill(target, signal);
  else target.kill(signal);
}
