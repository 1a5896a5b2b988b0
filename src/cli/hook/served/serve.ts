import { ServerResponse } from "node:http";
import { Hono } from "hono";
import { rememberedEvents } from "../../../config/cache/remembered-events.ts";
import { isRecord } from "../../../core/base/json.ts";
import { decideCall } from "./decide-call.ts";
import { CALL_PATH, callReader, type HookCall, replyParts } from "./protocol.ts";
import { newRecordCalls, type RecordCalls } from "./records.ts";
import type { Caller } from "./warm/ask.ts";
import type { DecideWarm } from "./warm/pool.ts";

/** A longer payload is left to a process of its own, so that others need not wait. */
const MOST_BYTES = 2_000_000;
/** More calls than this wait longer than a process of their own would take. */
const MOST_WAITING = 50;

interface CallServerOptions {
  /** Gets what went wrong here. */
  readonly log: (error: unknown) => void;
  readonly record?: RecordCalls;
  /** Decides calls that programs decide; without it, they are left to processes of their own. */
  readonly warm?: DecideWarm;
}

/** Decides calls, one after another. Everything but a reply with 200 leaves the call to a process of its own. */
export function callServer({ log, record = newRecordCalls(), warm }: CallServerOptions): Hono {
  const read = callReader();
  const decide = oneAtATime(log, record);
  const app = new Hono();
  app.post(CALL_PATH, async (context) => {
    // The server reads no more than this header says.
    if (!(Number(context.req.header("content-length")) <= MOST_BYTES)) return context.body(null, 413);
    const call = read(Buffer.from(await context.req.arrayBuffer()));
    if (call === undefined) return context.body(null, 409);
    const decided = await decide(call);
    const reply =
      decided !== undefined && "watch" in decided
        ? await warm?.(call, decided, callerOf(context.env))
        : decided?.reply;
    if (reply === undefined) return context.body(null, 409);
    const { body, headers } = replyParts(reply);
    return context.body(body, 200, headers);
  });
  return app;
}

/** The client at the other end of a connection: it waits as long as it gets signs, and closes the connection when it ends. */
function callerOf(bindings: unknown): Caller {
  const outgoing: unknown = isRecord(bindings) ? bindings.outgoing : undefined;
  const gone = new AbortController();
  if (!(outgoing instanceof ServerResponse)) return { signal: gone.signal, onSign: () => undefined };
  if (outgoing.destroyed) gone.abort();
  outgoing.once("close", () => gone.abort());
  return { signal: gone.signal, onSign: () => outgoing.writeProcessing() };
}

type Result = Awaited<ReturnType<typeof decideCall>>;

interface Waiting {
  readonly call: HookCall;
  readonly resolve: (result: Result) => void;
}

/** Decides one call at a time, and records those that have come meanwhile together. */
function oneAtATime(log: (error: unknown) => void, record: RecordCalls): (call: HookCall) => Promise<Result> {
  const cached = rememberedEvents();
  let waiting: Waiting[] = [];
  let working = false;
  const decideAll = async (batch: readonly Waiting[]): Promise<void> => {
    const answered = [];
    for (const { call, resolve } of batch)
      answered.push({ call, resolve, result: await inPlaceOf(call, () => decideCall(call, cached)) });
    // Before a reply is sent: one that does not arrive is decided again under the same id.
    const failed = record(answered);
    for (const { call, resolve, result } of answered)
      resolve(failed.has(call.variables) ? undefined : result);
  };
  const work = async (): Promise<void> => {
    working = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await decideAll(batch);
      } catch (error) {
        log(error);
      } finally {
        // Calls that have no reply are left to processes of their own.
        for (const { resolve } of batch) resolve(undefined);
      }
    }
    working = false;
  };
  return (call) =>
    new Promise((resolve) => {
      if (waiting.length >= MOST_WAITING) {
        resolve(undefined);
        return;
      }
      waiting.push({ call, resolve });
      if (!working) void work();
    });
}

const own = { environment: process.env, cwd: process.cwd() };

/** Runs with the folder and the variables of a call, as its own process would. */
async function inPlaceOf<Result>(
  { cwd, variables }: HookCall,
  run: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    process.env = variables.environment;
    process.chdir(cwd);
    return await run();
  } catch {
    return undefined;
  } finally {
    process.env = own.environment;
    process.chdir(own.cwd);
  }
}
