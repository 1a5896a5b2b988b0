import { markedProcessesNow } from "./marker.ts";
import { sendSignal } from "./signals.ts";

/** A program that has not ended, children included. */
export interface RunningProgram {
  /** Of the program and its process group. */
  readonly pid: number;
  readonly marker: string;
}

const running = new Set<RunningProgram>();

/**
 * The signals that end a process. Not included: what can't be handled (SIGKILL), what comes too late (SIGSEGV,
 * SIGABRT), and what has other uses (SIGUSR2).
 */
const ENDING: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGXCPU"];

/** How often to look for processes that fork while they are being ended. */
const ROUNDS = 5;

/** How often to check whether the listeners are still needed: programs come in bursts. */
const IDLE_MILLISECONDS = 200;

let watching: NodeJS.Timeout | undefined;
let isPatient = false;

/**
 * Ends a program when our process exits, throws, or is ended by a signal. Nothing can be done when our process is
 * killed (SIGKILL) or crashes.
 *
 * @returns a function that cancels this.
 */
export function endWithUs(program: RunningProgram): () => void {
  if (watching === undefined) watch();
  running.add(program);
  return () => {
    running.delete(program);
  };
}

/** From now on signals leave programs running: the caller handles them, and lets programs end. Only our exit ends the rest. */
export function letProgramsEnd(): void {
  isPatient = true;
}

function watch(): void {
  process.on("exit", endAll);
  if (!isPatient) for (const signal of ENDING) process.prependListener(signal, onSignal);
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
 * The signal does not reach our children, because they have their own process groups. Other listeners decide about our
 * process; they must not see this one, because some end the process only when they are alone. Without others the signal
 * has its default effect.
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
