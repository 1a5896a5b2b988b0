import { spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { LeftHook } from "../../../handlers/handler.ts";
import { makePrivateFolder } from "../../../node/files/make-folders.ts";
import { stateFolder } from "../../../node/user-folders.ts";
import { ASYNC_FLAG } from "../startup/flags.ts";

/** Asynchronous hooks to run in a process of their own. */
export interface AsyncHooks {
  readonly hooks: readonly string[];
  /** The id of the decided event: the record of how they ended belongs to it. */
  readonly event_id: string;
}

/**
 * Starts a process that runs asynchronous hooks, and does not wait for it: the agent has its reply. What these hooks
 * return is recorded; their context comes with a later event.
 */
export function startAsyncHooks(asyncHooks: AsyncHooks, payload: string): void {
  startProcess(asyncHooks, payload, []);
}

/** Starts a process that reads the rest of the output of a hook that has gone to the background. */
export function startReader({ pid, hook, output, payload, pipes }: LeftHook): void {
  const streams = pipes.flatMap((pipe) => (pipe instanceof Readable ? [pipe] : []));
  startProcess({ pid, hook, output }, payload, streams);
}

function startProcess(task: object, payload: string, pipes: readonly Readable[]): void {
  // A file, because a pipe would have to stay open until all of it is read.
  const folder = temporaryFolder();
  try {
    const file = join(folder, "event");
    writeFileSync(file, `${JSON.stringify(task)}\n${payload}`, { mode: 0o600 });
    const stdin = openSync(file, "r");
    const [, script = ""] = process.argv;
    spawn(process.execPath, [script, "hook", ASYNC_FLAG], {
      detached: true,
      stdio: [stdin, "ignore", "ignore", ...pipes],
    }).unref();
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
