import { spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRecord } from "../../core/base/json.ts";
import { makePrivateFolder } from "../../node/files/make-folders.ts";
import { stateFolder } from "../../node/user-folders.ts";
import { Journal } from "../../stores/journal/journal.ts";
import { adapterFor } from "../bridges/agents.ts";
import { configFor, type Variables } from "./answer.ts";
import { eventHooks } from "./event-hooks.ts";
import { BESIDE } from "./run-hook.ts";

/** What is to run beside an event in a process of its own. */
export interface Beside {
  readonly hooks: readonly string[];
  /** Of the event as it was decided: the record of how they ended belongs to it. */
  readonly event_id: string;
}

/**
 * Starts a process of ours that runs hooks beside an event, and does not wait for it: the agent has its answer. What
 * these hooks say is written down and reaches nobody else.
 */
export function handOver(beside: Beside, payload: string): void {
  // From a file, since a pipe would have to be held open until all of it is read.
  const folder = temporaryFolder();
  try {
    const file = join(folder, "event");
    writeFileSync(file, `${JSON.stringify(beside)}\n${payload}`, { mode: 0o600 });
    const stdin = openSync(file, "r");
    const [, script = ""] = process.argv;
    spawn(process.execPath, [script, "hook", BESIDE], {
      detached: true,
      stdio: [stdin, "ignore", "ignore"],
    }).unref();
    closeSync(stdin);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** In the folder for such things, or where there is none in that of our state: what nobody started would be missed by nobody. */
function temporaryFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), "tenterhook-"));
  } catch {
    const state = stateFolder();
    makePrivateFolder(state);
    return mkdtempSync(join(state, "beside-"));
  }
}

/** Runs what {@link handOver} handed over; each hook has its own deadline. Never rejects. */
export async function runBeside(text: string, environment: Variables): Promise<void> {
  const end = text.indexOf("\n");
  const beside: unknown = JSON.parse(text.slice(0, end));
  const payload: unknown = JSON.parse(text.slice(end + 1));
  if (!isRecord(beside) || !Array.isArray(beside.hooks) || !isRecord(payload)) return;
  const names: readonly unknown[] = beside.hooks;
  const adapter = adapterFor(payload, environment);
  const event = adapter.decode(payload);
  const { config } = await configFor(event, adapter, environment);
  const wanted = config.hooks.filter(({ hook }) => names.includes(hook.name));
  const { event_id: eventId } = beside;
  const hooks = await eventHooks(
    { ...config, hooks: wanted },
    { adapter, event: event.hook_event_name, ...(typeof eventId === "string" ? { eventId } : {}) },
  );
  const journal = new Journal({ environment });
  hooks.observe((told) => journal.recordRun(told));
  await hooks.fireUntyped(event);
  await hooks.settled();
  journal.flush();
  await hooks.close();
}
