import { Socket } from "node:net";
import { readPayload } from "../../../adapters/agents.ts";
import { isRecord } from "../../../core/base/json.ts";
import { neutralText } from "../../../core/base/neutral-text.ts";
import { asyncTimeout, readLater } from "../../../handlers/reply/read-native.ts";
import { Journal } from "../../../stores/journal/journal.ts";
import { findConfig } from "../answer.ts";
import { eventHooks } from "../event-hooks.ts";
import { storePending } from "./pending-context.ts";

/** Does what `startAsyncHooks` or `startReader` handed over. */
export async function runAsyncHooks(text: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const end = text.indexOf("\n");
  const task: unknown = JSON.parse(text.slice(0, end));
  const sent = text.slice(end + 1);
  if (!isRecord(task)) return;
  const call = await readPayload(sent, environment);
  const { adapter, event } = call;
  if (typeof task.pid === "number") {
    const output = await restOfOutput(task.pid, String(task.output));
    const outcomes = readLater(output, { event_id: "", seq: 0, timestamp: "", ...event });
    const texts = (wanted: string) =>
      outcomes.flatMap((outcome) => (outcome.type === wanted && "text" in outcome ? [outcome.text] : []));
    const later = { context: texts("context").map(neutralText), user_messages: texts("user_message") };
    storePending(event.session_id, { hook: String(task.hook), ...later }, environment);
    return;
  }
  const names: readonly unknown[] = Array.isArray(task.hooks) ? task.hooks : [];
  const { config } = await findConfig(call);
  const wanted = config.hooks.filter(({ hook }) => names.includes(hook.name));
  const modules = wanted.filter(({ hook }) => JSON.stringify(hook.definition).includes('"module":'));
  if (modules.length > 0) {
    const { startWatchdog, watchOf } = await import("../watchdog.ts");
    startWatchdog(watchOf({ ...config, hooks: modules }, event.hook_event_name));
  }
  const { event_id: eventId } = task;
  const hooks = await eventHooks(
    { ...config, hooks: wanted },
    { adapter, event: event.hook_event_name, ...(typeof eventId === "string" ? { eventId } : {}) },
  );
  const journal = new Journal({ environment });
  hooks.observe((run) => {
    journal.recordRun(run);
    if (run.type !== "end") return;
    const { context = [], user_messages = [] } = run.run.outcome ?? {};
    storePending(event.session_id, { hook: run.hook, context, user_messages }, environment);
  });
  await hooks.fireUntyped(event, { payload: sent });
  await hooks.settled();
  journal.flush();
  await hooks.close();
}

/** The descriptors that `startReader` passes on: stdout and stderr of the hook. */
const PIPES = [3, 4] as const;
const MOST_BYTES = 1_000_000;

/** Reads the output of a program that runs in the background. The program is ended when its time is over. */
async function restOfOutput(pid: number, written: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const [stdout, stderr] = PIPES.map((fd) => new Socket({ fd, readable: true, writable: false }));
  // It must not fail because nobody reads.
  stderr?.on("error", () => undefined).resume();
  const timer = setTimeout(() => {
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // It has ended.
    }
    stdout?.destroy();
  }, asyncTimeout(written));
  await new Promise<void>((resolve) => {
    stdout?.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MOST_BYTES) chunks.push(chunk);
    });
    stdout?.on("error", () => undefined).on("close", resolve);
  });
  clearTimeout(timer);
  stderr?.destroy();
  const text = written.trimStart() + Buffer.concat(chunks).toString();
  return text.slice(text.indexOf("\n") + 1);
}
