import { spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRecord } from "../../core/base/json.ts";
import { makePrivateFolder } from "../../node/files/make-folders.ts";
import { stateFolder } from "../../node/user-folders.ts";
import { Journal } from "../../stores/journal/journal.ts";
import { adapterFor } from "../bridges/agents.ts";
import { eventHooks } from "./event-hooks.ts";
import { findConfig } from "./find-config.ts";
import { ASYNC_FLAG } from "./startup/async-flag.ts";

/** Asynchronous hooks to run in a process of their own. */
export interface AsyncHooks {
  readonly hooks: readonly string[];
  /** The id of the decided event: the record of how they ended belongs to it. */
  readonly event_id: string;
}

/**
 * Starts a process that runs asynchronous hooks, and does not wait for it: the agent has its reply. What these hooks
 * return is recorded and has no other effect.
 */
export function startAsyncHooks(asyncHooks: AsyncHooks, payload: string): void {
  // A file, because a pipe would have to stay open until all of it is read.
  const folder = temporaryFolder();
  try {
    const file = join(folder, "event");
    writeFileSync(file, `${JSON.stringify(asyncHooks)}\n${payload}`, { mode: 0o600 });
    const stdin = openSync(file, "r");
    const [, script = ""] = process.argv;
    spawn(process.execPath, [script, "hook", ASYNC_FLAG], {
      detached: true,
      stdio: [stdin, "ignore", "ignore"],
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

/** Runs what {@link startAsyncHooks} handed over; each hook has its own timeout. */
export async function runAsyncHooks(text: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const end = text.indexOf("\n");
  const asyncHooks: unknown = JSON.parse(text.slice(0, end));
  const sent = text.slice(end + 1);
  const payload: unknown = JSON.parse(sent);
  if (!isRecord(asyncHooks) || !Array.isArray(asyncHooks.hooks) || !isRecord(payload)) return;
  const names: readonly unknown[] = asyncHooks.hooks;
  const adapter = adapterFor(payload, environment);
  const event = adapter.decode(payload);
  const { config } = await findConfig(event, adapter, environment);
  const wanted = config.hooks.filter(({ hook }) => names.includes(hook.name));
  const { event_id: eventId } = asyncHooks;
  const hooks = await eventHooks(
    { ...config, hooks: wanted },
    { adapter, event: event.hook_event_name, ...(typeof eventId === "string" ? { eventId } : {}) },
  );
  const journal = new Journal({ environment });
  hooks.observe((run) => journal.recordRun(run));
  await hooks.fireUntyped(event, { payload: sent });
  await hooks.settled();
  journal.flush();
  await hooks.close();
}
