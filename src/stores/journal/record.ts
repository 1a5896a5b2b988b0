import type { Decision, HookRun } from "../../core/decision.ts";
import type { Decided, RunEvent } from "../../core/observers.ts";
import type { Redactor } from "../../node/records/redact.ts";
import { type Caps, prune } from "./prune.ts";

/** One line of a journal. */
export interface JournalRecord {
  readonly v: 1;
  /** `decision`: what was decided; `run`: how a hook ended that ran beside its event. */
  readonly type: "decision" | "run";
  /** ISO time of the event, or of the run's start. */
  readonly time: string;
  /** Of the event in its session; absent on a `run`. */
  readonly seq?: number;
  readonly session_id: string;
  readonly event_id: string;
  /** The parts of the event worth keeping, without secrets; long ones shortened. */
  readonly event: Readonly<Record<string, unknown>> & { readonly hook_event_name: string };
  /** Without its runs; absent on a `run`. */
  readonly decision?: Readonly<Record<string, unknown>> & Pick<Decision, "action" | "reason">;
  readonly runs: readonly HookRun[];
}

/** What makes a record: a decision, or the end of a run beside one. */
export type Told =
  | ({ readonly type: "decision" } & Decided)
  | { readonly type: "run"; readonly end: Extract<RunEvent, { readonly type: "end" }> };

const MOST_BYTES = 64_000;

/** Parts that are long, kept elsewhere, or said already. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  "native",
  "messages",
  "output_messages",
  "request",
  "system_prompt",
  "config",
  "session_id",
  "event_id",
  "seq",
  "timestamp",
]);

/** From much to little: the first that makes the line short enough is taken. */
const STEPS: readonly Caps[] = [
  { characters: 4000, items: 50, depth: 8 },
  { characters: 500, items: 20, depth: 5 },
  { characters: 80, items: 5, depth: 2 },
];

/** A secret that the cap would cut in two is still recognised. */
const MARGIN = 1000;

/** The line of a journal for what was told: without secrets, and never longer than 64,000 bytes. */
export function journalLine(told: Told, redactor: Redactor): string {
  for (const caps of STEPS) {
    const line = JSON.stringify(recordOf(told, redactor, caps));
    if (Buffer.byteLength(line) <= MOST_BYTES) return line;
  }
  const { type, time, seq, session_id, event_id, name } = factsOf(told);
  const event = { hook_event_name: name, shortened: true };
  return JSON.stringify({ v: 1, type, time, seq, session_id, event_id, event, runs: [] });
}

function recordOf(told: Told, redactor: Redactor, caps: Caps): object {
  const { type, time, seq, session_id, event_id, event, decision, runs } = factsOf(told);
  const loose = { ...caps, characters: caps.characters + MARGIN };
  const clean = (value: unknown): unknown => prune(redactor.value(prune(value, loose)), caps);
  return {
    v: 1,
    type,
    time,
    seq,
    session_id,
    event_id,
    event: clean(event),
    ...(decision === undefined ? {} : { decision: clean(decision) }),
    runs: runs.slice(0, MOST_RUNS).map(clean),
  };
}

/** No event has more, but nobody forbids it. */
const MOST_RUNS = 200;

function factsOf(told: Told) {
  if (told.type === "run") {
    const { session_id, event_id, hook_event_name: name, run } = told.end;
    const event = { hook_event_name: name };
    return { type: told.type, time: run.started_at, session_id, event_id, name, event, runs: [run] };
  }
  const { type, event, decision } = told;
  const { timestamp: time, seq, session_id, event_id, hook_event_name: name } = event;
  const { runs, ...rest } = decision;
  const kept = Object.entries(event).filter(([key]) => !LEFT_OUT.has(key));
  return {
    type,
    time,
    seq,
    session_id,
    event_id,
    name,
    event: Object.fromEntries(kept),
    decision: decided(rest),
    runs,
  };
}

/** A decision with nothing that is empty. */
function decided(decision: Partial<Decision>): object {
  return Object.fromEntries(
    Object.entries(decision).filter(
      ([key, value]) => !LEFT_OUT.has(key) && !(Array.isArray(value) && value.length === 0),
    ),
  );
}

/** True for a value that is a line of a journal. */
export function isRecordOfJournal(value: unknown): value is JournalRecord {
  if (typeof value !== "object" || value === null) return false;
  const { v, time, session_id, event, runs }: Partial<Record<keyof JournalRecord, unknown>> = value;
  return (
    v === 1 &&
    typeof time === "string" &&
    typeof session_id === "string" &&
    typeof event === "object" &&
    event !== null &&
    Array.isArray(runs)
  );
}
