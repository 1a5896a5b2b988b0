import { spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { LeftHook } from "../../handlers/handler.ts";
import { makePrivateFolder } from "../../node/files/folders.ts";
import { ownProgram } from "../../node/own-program.ts";
import { stateFolder } from "../../node/user-folders.ts";
import { readLeft, runAsyncHooks } from "../async-hooks.ts";
import type { AsyncHooks, HookCall, Host } from "../call.ts";
import { ASYNC_FLAG } from "./flags.ts";

/** What a process in the background does: run asynchronous hooks, or read what a hook still writes. */
type Task = AsyncHooks | Omit<LeftHook, "pipes" | "payload">;

/** Starts a process that runs asynchronous hooks, and does not wait for it: the agent has its reply. */
export function startAsyncHooks(asyncHooks: AsyncHooks, { text }: HookCall): void {
  startProcess(asyncHooks, text, []);
}

/** Starts a process that reads the rest of the output of a hook that has gone to the background. */
export function startReader({ pid, hook, output, payload, pipes }: LeftHook): void {
  const streams = pipes.flatMap((pipe) => (pipe instanceof Readable ? [pipe] : []));
  startProcess({ pid, hook, output }, payload, streams);
}

/** Does in the background what was handed over: the text of {@link startProcess}. */
export async function runTask(text: string, call: Omit<HookCall, "text">, host: Host): Promise<void> {
  const end = text.indexOf("\n");
  const task: Task = JSON.parse(text.slice(0, end));
  const payload = text.slice(end + 1);
  if ("hooks" in task) return runAsyncHooks(task, { ...call, text: payload }, host);
  const pipes = PIPES.map((fd) => new Socket({ fd, readable: true, writable: false }));
  return readLeft({ ...task, payload, pipes }, call);
}

/** The descriptors of what the hook writes: stdout and stderr. */
const PIPES = [3, 4] as const;

function startProcess(task: Task, payload: string, pipes: readonly Readable[]): void {
  // A file, because a pipe would have to stay open until all of it is read.
  const folder = temporaryFolder();
  try {
    const file = join(folder, "event");
    writeFileSync(file, `${JSON.stringify(task)}\n${payload}`, { mode: 0o600 });
    const stdin = openSync(file, "r");
    const { file: program, args } = ownProgram("hook", ASYNC_FLAG);
    spawn(program, args, { detached: true, stdio: [stdin, "ignore", "ignore", ...pipes] }).unref();
    closeSync(stdin);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Falls back to the folder of our state where there is no temporary folder. */
function temporaryFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), "tenterhook-"));
  } catch {
    const state = stateFolder();
    makePrivateFolder(state);
    return mkdtempSync(join(state, "async-"));
  }
}
