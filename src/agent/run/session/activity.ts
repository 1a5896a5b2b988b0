import { isoTime } from "../../../core/base/clock.ts";
import { errorMessage } from "../../../core/base/error-text.ts";
import { isRecord } from "../../../core/base/json.ts";
import type { Decision, HookRun } from "../../../core/decide/decision.ts";
import type { ActivityEntry, ActivityFacts, Owner, RecordedRun } from "../../contracts.ts";
import { type AgentSession, emit } from "./session.ts";
import type { Activity } from "./state.ts";

/** Entries are written with the next message, or after this time. */
const LONGEST_WAIT_MILLISECONDS = 100;
const MOST_WAITING = 200;

export function noActivity(owner: Owner): Activity {
  return { owner, waiting: [], cancelTimer: undefined, writing: undefined };
}

/** Records something in the activity, if there is one. It is written together with the next message. */
export function note(session: AgentSession, facts: ActivityFacts): void {
  const { storage, clock, identity } = session;
  const { activity } = storage;
  if (activity === undefined) return;
  const timestamp = isoTime(clock.now());
  add(session, activity, { ...facts, turn_id: identity.turn_id ?? "", timestamp });
}

export function noteRuns(
  session: AgentSession,
  activity: Activity,
  hook_event_name: string,
  { tool_use_id, response }: Readonly<Record<string, unknown>>,
  { runs }: Decision,
): void {
  const { identity } = session;
  const [first] = runs;
  if (first === undefined) return;
  add(session, activity, {
    type: "hook_runs",
    hook_event_name,
    event_id: first.event_id,
    tool_use_id: typeof tool_use_id === "string" ? tool_use_id : undefined,
    message_id: isRecord(response) && typeof response.id === "string" ? response.id : undefined,
    said_nothing: runs.filter(saidNothing).map(({ name }) => name),
    runs: runs.filter((run) => !saidNothing(run)).map((run) => recordedRun(run, tool_use_id !== undefined)),
    turn_id: identity.turn_id ?? "",
    timestamp: first.started_at,
  });
}

function add(session: AgentSession, activity: Activity, entry: ActivityEntry): void {
  activity.waiting.push(entry);
  if (activity.waiting.length >= MOST_WAITING) writeActivity(session);
  activity.cancelTimer ??= session.clock.after(LONGEST_WAIT_MILLISECONDS, () => {
    activity.cancelTimer = undefined;
    writeActivity(session);
  });
}

/** Gives the store what waits, in order, without waiting for it. Reports a store that fails. */
export function writeActivity(session: AgentSession): void {
  const { activity } = session.storage;
  if (activity === undefined || activity.waiting.length === 0) return;
  const { store } = session.options;
  const { waiting, owner } = activity;
  activity.waiting = [];
  if (session.storage.taken_over) return;
  const recording = waiting.map(async (entry) => store?.record?.(entry, owner));
  activity.writing = Promise.allSettled(recording).then((results) => {
    const failed = results.find((result) => result.status === "rejected");
    if (failed === undefined) return;
    const message = errorMessage(failed.reason);
    emit(session, { type: "error", error_type: "store_failed", message });
  });
}

/** Writes what waits; resolves when the store has it. Never rejects. */
export async function settleActivity(session: AgentSession): Promise<void> {
  const { activity } = session.storage;
  if (activity === undefined) return;
  writeActivity(session);
  activity.cancelTimer?.();
  activity.cancelTimer = undefined;
  await activity.writing;
}

/** Most runs have no outcome: only their names are recorded. */
function saidNothing({ outcome, failure, exit_code, cached, usage, async, skipped }: HookRun): boolean {
  return (
    outcome === undefined &&
    failure === undefined &&
    exit_code === undefined &&
    cached === undefined &&
    usage === undefined &&
    async === undefined &&
    skipped === undefined
  );
}

/**
 * A run without what its entry says already. The new value of a rewrite stays only for a tool call: messages and requests
 * hold the whole conversation, and recording them would grow quadratically.
 */
function recordedRun(run: HookRun, ofCall: boolean): RecordedRun {
  const { event_id: _, started_at: _at, input_before: _before, input_after, ...facts } = run;
  return input_after === undefined || !ofCall ? facts : { ...facts, input_after };
}
