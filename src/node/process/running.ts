import { promises, readdirSync, readFileSync } from "node:fs";
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
  ignoreSignals();
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
  ignoreSignals();
}

function ignoreSignals(): void {
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

/**
 * The variable that marks everything a program starts, also what left its process group. Nested runs append to its
 * value, so that the outer run finds what the inner one started.
 */
export const MARKER_VARIABLE = "TENTERHOOK_RUN";

const outer = process.env[MARKER_VARIABLE] ?? "";
/** Every marker of our process begins with this. No secret, and no other process has it: loading `node:crypto` for random bytes would cost each hook 5 ms. */
const OUR_MARKER = `p${process.pid}-${process.hrtime.bigint()}.`;
let count = 0;

/** A marker that no other run on this machine has. */
export function newMarker(): string {
  count += 1;
  return `${OUR_MARKER}${count}.`;
}

export function markerVariable(marker: string): readonly [name: string, value: string] {
  return [MARKER_VARIABLE, `${outer}${marker}`];
}

export const SESSION_VARIABLE = "TENTERHOOK_SESSION_RUN";

/** Marks everything that the programs of a session start; it outlives the marker of each program. */
export function sessionVariable(marker: string): Readonly<Record<string, string>> {
  return { [SESSION_VARIABLE]: `${process.env[SESSION_VARIABLE] ?? ""}${marker}` };
}

/** How many processes are read at once: each needs an open file. */
const TOGETHER = 16;

/**
 * The processes that have a marker. Only Linux shows the variables of processes. Zombies have none, so all of them are
 * alive.
 */
export async function markedProcesses(marker: string): Promise<readonly number[]> {
  const pids = processIds(await promises.readdir("/proc").catch(() => []));
  const found: number[] = [];
  for (let at = 0; at < pids.length; at += TOGETHER) {
    await Promise.all(
      pids.slice(at, at + TOGETHER).map(async (pid) => {
        const variables = await promises.readFile(`/proc/${pid}/environ`).catch(() => undefined);
        if (variables?.includes(marker) === true) found.push(pid);
      }),
    );
  }
  return found;
}

/** Synchronous, for the end of our process. */
export function markedProcessesNow(markers: readonly string[]): readonly number[] {
  if (process.platform !== "linux") return [];
  return processIds(readdirSync("/proc")).filter((pid) => {
    try {
      const variables = readFileSync(`/proc/${pid}/environ`);
      return markers.some((marker) => variables.includes(marker));
    } catch {
      return false; // Gone, or another user's.
    }
  });
}

function processIds(names: readonly string[]): readonly number[] {
  if (process.platform !== "linux") return [];
  return names.flatMap((name) => (/^\d+$/.test(name) && Number(name) !== process.pid ? [Number(name)] : []));
}
