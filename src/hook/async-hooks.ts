import type { Readable } from "node:stream";
import { readPayload } from "../adapters/read-payload.ts";
import { neutralText } from "../core/base/text.ts";
import type { LeftHook } from "../handlers/handler.ts";
import { asyncTimeout, readLater } from "../handlers/reply/read-native.ts";
import { Journal } from "../journal/journal.ts";
import type { AsyncHooks, HookCall, Host } from "./call.ts";
import { eventHooks } from "./event-hooks.ts";
import { storePending } from "./pending-context.ts";

/**
 * Runs asynchronous hooks of a call that has its reply. What they return is recorded; their context comes with a later
 * event.
 */
export async function runAsyncHooks(
  { hooks: names, event_id }: AsyncHooks,
  call: HookCall,
  host: Host,
): Promise<void> {
  const { text, environment } = call;
  const native = await readPayload(text, environment, call.cwd);
  const { adapter, event } = native;
  const { config } = await host.findConfig(native, event.hook_event_name);
  const wanted = config.hooks.filter(({ hook }) => names.includes(hook.name));
  const hooks = await eventHooks(
    { ...config, hooks: wanted },
    { adapter, call, host, event: event.hook_event_name, eventId: event_id },
  );
  const journal = new Journal({ environment });
  hooks.observe({
    onRun: (run) => {
      journal.recordRun(run);
      if (run.type !== "end") return;
      const { context = [], user_messages = [] } = run.run.outcome ?? {};
      storePending(event.session_id, { hook: run.hook, context, user_messages }, environment);
    },
  });
  await hooks.fireUntyped(event, { payload: text });
  await hooks.settled();
  journal.flush();
  await hooks.close();
}

/** A program that goes on in the background, with the streams of its output. */
export type LeftProgram = Omit<LeftHook, "pipes"> & { readonly pipes: readonly Readable[] };

/** Reads the rest of what a hook writes that has gone to the background, for a later event of its session. */
export async function readLeft(
  { pid, hook, payload, output, pipes }: LeftProgram,
  { environment, cwd }: Pick<HookCall, "environment" | "cwd">,
): Promise<void> {
  const { event } = await readPayload(payload, environment, cwd);
  const rest = await restOfOutput(pid, output, pipes);
  const outcomes = readLater(rest, { event_id: "", seq: 0, timestamp: "", ...event });
  const texts = (wanted: string) =>
    outcomes.flatMap((outcome) => (outcome.type === wanted && "text" in outcome ? [outcome.text] : []));
  const later = { context: texts("context").map(neutralText), user_messages: texts("user_message") };
  storePending(event.session_id, { hook, ...later }, environment);
}

const MOST_BYTES = 1_000_000;

/** Reads the output of a program that runs in the background. The program is ended when its time is over. */
async function restOfOutput(
  pid: number,
  written: string,
  [stdout, stderr]: readonly Readable[],
): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
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
    stdout
      ?.on("error", () => undefined)
      .on("close", resolve)
      .resume();
  });
  clearTimeout(timer);
  stderr?.destroy();
  const text = written.trimStart() + Buffer.concat(chunks).toString();
  return text.slice(text.indexOf("\n") + 1);
}
