import { markedProcessesNow } from "./marker.ts";
import { sendSignal } from "./signals.ts";

/** A program that was started and is not over, children included. */
export interface RunningProgram {
  /** Of the program, and of its process group. */
  readonly pid: number;
  readonly marker: string;
}

const running = new Set<RunningProgram>();

/**
 * The signals that are sent to end a process. Others that would end it too are left alone: some can't be heard (SIGKILL),
 * some come when nothing can be done any more (SIGSEGV, SIGABRT), some mean other things to those who listen (SIGUSR2).
 */
const ENDING: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGXCPU"];

/** How often what forks while it is being ended is looked for. */
const ROUNDS = 5;

/** How often to look whether there is still a reason to listen: programs come in bursts, and listening has its price. */
const IDLE_MILLISECONDS = 200;

let watching: NodeJS.Timeout | undefined;

/**
 * Keeps a program on the list of those that end with our process: when it exits, also by an exception, and when it is
 * ended by a signal. Nothing can be done when our process is killed (SIGKILL) or crashes.
 *
 * @returns a function that takes it off the list.
 */
export function endWithUs(program: RunningProgram): () => void {
  if (watching === undefined) watch();
  running.add(program);
  return () => {
    running.delete(program);
  };
}

function watch(): void {
  process.on("exit", endAll);
  for (const signal of ENDING) process.prependListener(signal, onSignal);
  watching = setInterval(() => {
    if (running.size === 0) unwatch();
  }, IDLE_MILLISECONDS).unref();
}

function unwatch(): void {
  clearInterval(watching);
  watching = undefined;
  process.off("exit", endAll);
  for (const signal of ENDING) process.off(signal, onSignal);
}

/**
 * Whoever sends us the signal would have reached our children too, were they not in groups of their own. What becomes
 * of our process is left to the other listeners; they must not see us, since some end the process only when they are
 * alone. Without any of them the signal does what it does by default.
 */
function onSignal(signal: NodeJS.Signals): void {
  endAll();
  unwatch();
  running.clear();
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}

function endAll(): void {
  for (const { pid } of running) sendSignal(-pid, "SIGKILL");
  const markers = [...running].map(({ marker }) => marker);
  for (let round = 0; round < ROUNDS && markers.length > 0; round += 1) {
    const left = markedProcessesNow(markers);
    if (left.length === 0) return;
    for (const pid of left) sendSignal(pid, "SIGKILL");
  }
}
