import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { inject, onTestFinished } from "vitest";
import type { AtEnd } from "./temporary-folder.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** True for the unit tests, which can't start a process. */
    readonly startsNoProcess?: boolean;
  }
}

/** True when a process is there and no zombie. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) throw new Error(`${pid} is no process id.`);
  try {
    process.kill(pid, 0);
    const [, state] = /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    return state !== "Z";
  } catch {
    return false;
  }
}

/** Ends a process after the test, if it has not ended by itself. */
export function endAfterTest(child: ChildProcess, atEnd: AtEnd = onTestFinished): void {
  atEnd(() => end(child));
}

/** Ends a process, if it has not ended by itself; without a signal, at once. */
export async function end(child: ChildProcess, signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}

/** Ends a process that a test has left alive on purpose. */
export function endProcess(pid: number): void {
  process.kill(pid, "SIGKILL");
}

const LONGEST_PAUSE_MILLISECONDS = 500;

/** Waits until a check passes; the machine may be busy. A check that takes long, as one that starts a program, is made less often. */
export async function eventually(check: () => unknown, milliseconds = 45_000): Promise<void> {
  // Tests hold the other clock.
  const deadline = performance.now() + milliseconds;
  for (;;) {
    const begun = performance.now();
    try {
      await check();
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await wait(Math.min(20 + 4 * (performance.now() - begun), LONGEST_PAUSE_MILLISECONDS));
    }
  }
}

/** The living processes whose variables hold a text. A unit test has started none, and the search reads every process's. */
export function processesWith(text: string): readonly number[] {
  return inject("startsNoProcess") === true ? [] : processesWhere("environ", text);
}

/** The living processes whose arguments hold a text. */
export function processesNamed(text: string): readonly number[] {
  return processesWhere("cmdline", text);
}

function processesWhere(file: "environ" | "cmdline", text: string): readonly number[] {
  return readdirSync("/proc").flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) return [];
    try {
      return readFileSync(`/proc/${pid}/${file}`).includes(text) ? [pid] : [];
    } catch {
      return [];
    }
  });
}

/** The descriptors this process has open. */
export function openDescriptors(): number {
  return readdirSync("/proc/self/fd").length;
}
