import { isRecord, parseJson } from "../core/base/json.ts";
import { capText } from "../core/base/text.ts";
import type { PersonAnswer } from "../core/contracts/approval.ts";
import type { Decision, HookRun } from "../core/decide/decision.ts";
import type { Decided, RunEvent } from "../core/decide/observers.ts";
import type { Action } from "../core/events/effects.ts";
import { builtin } from "../node/builtin.ts";
import type { Redactor } from "../node/records/redact.ts";

/** One line of a journal. */
export interface JournalRecord {
  readonly v: 1;
  /**
   * `decision`: what was decided; `more`: further runs of the previous decision, when a line can't hold all; `run`: how an
   * async hook or a program around a turn ended.
   */
  readonly type: "decision" | "more" | "run";
  /** ISO time of the event, or of the run's start. */
  readonly time: string;
  /** Shortened by `recordedId` when it is very long. */
  readonly session_id: string;
  readonly event_id: string;
  /** Fields of the event without secrets; long ones shortened. */
  readonly event: Readonly<Record<string, unknown>> & { readonly hook_event_name: string };
  /** Without its runs; only on a `decision`. */
  readonly decision?: Readonly<Record<string, unknown>> & Pick<Decision, "action" | "reason">;
  /** What came of it at the agent, where that is not what its hooks decided; only on a `decision`. */
  readonly happened?: Happened;
  readonly runs: readonly HookRun[];
  /** Where it was recorded, when that was on another machine. */
  readonly machine?: string;
}

/** What came of a decision: an agent that can't ask has refused, or somebody has answered. */
export interface Happened {
  readonly action: Action;
  /** Says who refused or allowed it, as a sentence. */
  readonly reason: string;
  /** Who it was, when a person has answered. */
  readonly person?: PersonAnswer;
}

/** What makes a record: a decision, or the end of a run that no decision has. */
export type RecordSource =
  | ({ readonly type: "decision"; readonly happened?: Happened } & Decided)
  | { readonly type: "run"; readonly end: Extract<RunEvent, { readonly type: "end" }> };

/** How much of a value is recorded. */
interface Caps {
  /** Of each text. */
  readonly characters: number;
  /** Of each list and object. */
  readonly items: number;
  readonly depth: number;
}

const MOST_BYTES = 64_000;

/** Fields that are long, stored elsewhere, or in the record already. */
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

/** From much to little: the first that makes the line short enough wins. */
const STEPS: readonly [Caps, ...Caps[]] = [
  { characters: 4000, items: 50, depth: 8 },
  { characters: 500, items: 20, depth: 5 },
  { characters: 80, items: 5, depth: 2 },
];

/** So that a secret which the cap would cut in two is still recognised. */
const MARGIN = 1000;

/** Runs in one line; further ones get lines of their own. */
const MOST_RUNS = 50;

/**
 * The lines of a journal for a record: without secrets, with every run, none longer than 64,000 bytes. Also returns the
 * session whose journal they belong to.
 *
 * @param many true when the redactor has seen records before: it remembers most of their strings then, and needs no
 * look at all of them first.
 */
export function journalLines(
  source: RecordSource,
  redactor: Redactor,
  many = false,
): { readonly session_id: string; readonly lines: readonly string[] } {
  const { runs, ...facts } = factsOf(source);
  const { time, session_id, event_id, name } = facts;
  const lines = [lineOf(facts, runs.slice(0, MOST_RUNS), redactor, many)];
  const more = { type: "more", time, session_id, event_id, name, event: { hook_event_name: name } } as const;
  for (let at = MOST_RUNS; at < runs.length; at += MOST_RUNS)
    lines.push(lineOf(more, runs.slice(at, at + MOST_RUNS), redactor, many));
  return { session_id, lines };
}

function lineOf(facts: Facts, runs: readonly HookRun[], redactor: Redactor, many: boolean): string {
  const { name, event, decision, happened, ...head } = facts;
  for (const caps of STEPS) {
    const loose = { ...caps, characters: caps.characters + MARGIN };
    const shortened = {
      event: prune(event, loose),
      ...(decision === undefined ? {} : { decision: prune(decision, loose) }),
      ...(happened === undefined ? {} : { happened: prune(happened, loose) }),
      // Field by field, so that the depth limit spares what is counted of a run.
      runs: runs.map((run) => withFields(run, (value) => prune(value, loose))),
    };
    const clean =
      many || redactor.mayFind(shortened)
        ? (value: unknown): unknown => prune(redactor.value(value), caps)
        : (value: unknown): unknown => prune(value, caps);
    const line = JSON.stringify({
      v: 1,
      ...head,
      event: clean(shortened.event),
      ...(decision === undefined ? {} : { decision: clean(shortened.decision) }),
      ...(happened === undefined ? {} : { happened: clean(shortened.happened) }),
      runs: shortened.runs.map((run) => withFields(run, clean)),
    });
    if (Buffer.byteLength(line) <= MOST_BYTES) return line;
  }
  const short = { hook_event_name: name.slice(0, 200), shortened: true };
  const outcome = {
    ...(decision === undefined ? {} : { decision: { action: Reflect.get(decision, "action") } }),
    ...(happened === undefined ? {} : { happened: { action: happened.action, reason: "…" } }),
  };
  return JSON.stringify({ v: 1, ...head, event: short, ...outcome, runs: runs.map(bareRun) });
}

/** A JSON value with only the beginning of what is long, marked where something is missing; itself when nothing is. */
function prune(value: unknown, caps: Caps, depth = caps.depth): unknown {
  if (typeof value === "string") return capText(value, caps.characters);
  if (typeof value !== "object" || value === null) return value;
  if (depth <= 0) return Array.isArray(value) ? `[${value.length} items]` : "{…}";
  const pruned = (item: unknown): unknown => prune(item, caps, depth - 1);
  if (Array.isArray(value)) {
    const shown = value.slice(0, caps.items).map(pruned);
    return value.length > caps.items ? [...shown, `… ${value.length - caps.items} more`] : shown;
  }
  const keys = Object.keys(value);
  const isShort = keys.length <= caps.items && keys.every((key) => key.length <= caps.characters);
  if (isShort) return withFields(value, pruned);
  const shown = Object.entries(value)
    .slice(0, caps.items)
    .map(([key, item]) => [capText(key, caps.characters), pruned(item)]);
  if (keys.length > caps.items) shown.push(["…", `${keys.length - caps.items} more`]);
  return Object.fromEntries(shown);
}

/** An object with every field changed; itself when that changes nothing. */
function withFields(given: object, change: (value: unknown) => unknown): object {
  let copy: Record<string, unknown> | undefined;
  for (const key of Object.keys(given)) {
    const value: unknown = Reflect.get(given, key);
    const changed = change(value);
    if (changed === value) continue;
    copy ??= { ...given };
    copy[key] = changed;
  }
  return copy ?? given;
}

/** What is counted of a run, and nothing long. */
function bareRun({ name, handler, event_id, outcome, failure, ...run }: HookRun): HookRun {
  const { started_at, duration_ms, recheck, async, skipped } = run;
  return {
    name: name.slice(0, 200),
    handler: handler.slice(0, 40),
    event_id: recordedId(event_id),
    started_at,
    duration_ms,
    outcome: outcome && { action: outcome.action },
    failure: failure && { kind: failure.kind, message: "…" },
    recheck,
    async,
    skipped,
  };
}

const LONGEST_ID = 512;

/** An id as it is recorded: a very long one as its beginning and a hash. */
export function recordedId(id: string): string {
  if (id.length <= LONGEST_ID) return id;
  return `${id.slice(0, 100)}…${builtin.crypto.createHash("sha256").update(JSON.stringify(id)).digest("hex")}`;
}

/** A text of a decision as a journal has it, unless its line was too long. */
export function recordedText(text: string, redactor: Redactor): unknown {
  const [caps] = STEPS;
  return prune(redactor.value(prune(text, { ...caps, characters: caps.characters + MARGIN })), caps);
}

interface Facts {
  readonly type: JournalRecord["type"];
  readonly time: string;
  readonly session_id: string;
  readonly event_id: string;
  readonly name: string;
  readonly event: object;
  readonly decision?: object;
  readonly happened?: Happened;
}

function factsOf(source: RecordSource): Facts & { readonly runs: readonly HookRun[] } {
  if (source.type === "run") {
    const { hook_event_name: name, run, program } = source.end;
    const event = { hook_event_name: name, ...program };
    return { type: source.type, time: run.started_at, ...idsOf(source.end), name, event, runs: [run] };
  }
  const { type, event, decision, happened } = source;
  const { timestamp, hook_event_name: name } = event;
  const { runs, ...rest } = decision;
  const fields = Object.entries(event).filter(([key]) => !LEFT_OUT.has(key));
  return {
    type,
    time: timestamp.slice(0, 40),
    ...idsOf(event),
    name,
    event: Object.fromEntries(fields),
    decision: decided(rest),
    happened,
    runs,
  };
}

function idsOf({ session_id, event_id }: { readonly session_id: string; readonly event_id: string }) {
  return { session_id: recordedId(session_id), event_id: recordedId(event_id) };
}

/** A decision without empty lists. */
function decided(decision: Partial<Decision>): object {
  return Object.fromEntries(
    Object.entries(decision).filter(
      ([key, value]) => !LEFT_OUT.has(key) && !(Array.isArray(value) && value.length === 0),
    ),
  );
}

/** Parses a line of a journal; `undefined` when it can't be read. */
export function readRecord(line: string): JournalRecord | undefined {
  const value = parseJson(line);
  return isJournalRecord(value) ? value : undefined;
}

export function isJournalRecord(value: unknown): value is JournalRecord {
  return (
    isRecord(value) &&
    value.v === 1 &&
    typeof value.time === "string" &&
    typeof value.session_id === "string" &&
    typeof value.event === "object" &&
    value.event !== null &&
    Array.isArray(value.runs)
  );
}
