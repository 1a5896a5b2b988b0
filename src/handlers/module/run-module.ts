import { writeSync } from "node:fs";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { errorText } from "../../core/base/error-text.ts";
import { frozenJson, isRecord, NotJsonError } from "../../core/base/json.ts";
import { subjectOf } from "../../core/decide/rewrite.ts";
import type { FailureKind } from "../../core/events/effects.ts";
import { isHookFailure } from "../../core/events/hook-failure-error.ts";
import { TABLE_EVENTS } from "../../core/events/known-events.ts";
import type { AnyEvent } from "../../core/events/payloads.ts";
import type { Handler, HookContext, RunFacts } from "../../core/ports.ts";
import { SYSTEM } from "../../node/system.ts";
import { moduleHandler } from "./module.ts";

/** What a module's process is sent, one line each. */
interface ModuleRequest {
  readonly request_id: string;
  readonly event: AnyEvent;
  readonly recheck?: true;
  readonly payload?: string;
}

/** What it answers, one line each. */
export interface ModuleReply {
  readonly request_id: string;
  /** What the function returned. */
  readonly value?: unknown;
  readonly facts?: RunFacts;
  readonly failure?: { readonly kind: FailureKind; readonly message: string };
}

/** Descriptor 1 is stderr in this process, so that what the module prints is no answer. */
const ANSWERS = SYSTEM.posixShell ? 3 : 1;

/** Runs the function of a module for every event that comes as a line on stdin. Never rejects. */
export async function runModule(file: string): Promise<void> {
  const loading = moduleHandler({ name: file, module: file }, { site: { root: dirname(file) } });
  // It fails every event, and is no end of this process.
  loading.catch(() => undefined);
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    const request: ModuleRequest = JSON.parse(line);
    const reply = await loading.then((module) => answer(module, request)).catch(failed);
    write({ request_id: request.request_id, ...reply });
  }
}

type Answer = Omit<ModuleReply, "request_id">;

async function answer(module: Handler, { event, recheck, payload }: ModuleRequest): Promise<Answer> {
  let facts: RunFacts | undefined;
  const context: HookContext = {
    // When the time is over, this process is ended.
    signal: new AbortController().signal,
    values: new Map(),
    recheck,
    payload,
    output: (text) => void process.stderr.write(text),
    record: (more) => {
      facts = { ...facts, ...more };
    },
  };
  const value = rewritten(await module.run(event, context), event);
  return { value, ...(facts && { facts }) };
}

/** What a function returned, with its rewrites carried out: a function can't be sent. */
function rewritten(value: unknown, event: AnyEvent): unknown {
  const known = TABLE_EVENTS.get(event.hook_event_name);
  let subject = known === undefined ? event.tool_input : subjectOf(event, known);
  const one = (outcome: unknown): unknown => {
    if (!isRecord(outcome) || outcome.type !== "rewrite") return outcome;
    const next: unknown = typeof outcome.next === "function" ? outcome.next(subject) : outcome.next;
    subject = frozenJson(next);
    return { ...outcome, next: subject };
  };
  return Array.isArray(value) ? value.map(one) : one(value);
}

function failed(error: unknown): Answer {
  if (isHookFailure(error)) return { failure: { kind: error.kind, message: error.message } };
  const kind = error instanceof NotJsonError ? "bad_output" : "error";
  return { failure: { kind, message: errorText(error) } };
}

/** A reply as JSON; a failure when what the function returned has no JSON. */
function textOf(reply: ModuleReply): string {
  try {
    return JSON.stringify(reply);
  } catch (error) {
    const failure = { kind: "bad_output", message: `It returned what JSON can't carry: ${errorText(error)}` };
    return JSON.stringify({ request_id: reply.request_id, failure });
  }
}

/** Synchronously: the code of a module may end this process right after it has answered. */
function write(reply: ModuleReply): void {
  let rest = Buffer.from(`${textOf(reply)}\n`);
  while (rest.length > 0) rest = rest.subarray(writeSync(ANSWERS, rest));
}
