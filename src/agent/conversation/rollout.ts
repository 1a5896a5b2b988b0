import { isoTime } from "../../core/base/clock.ts";
import { errorMessage } from "../../core/base/error-text.ts";
import type { Decision, HookRun } from "../../core/decide/decision.ts";
import type { AgentStore, Owner, RecordedRun, RolloutEntry, RolloutFacts } from "../contracts.ts";
import { type AgentSession, emit, type Rollout } from "../session/session.ts";

/** What happens between two messages is written with the second one, unless that takes longer than this. */
const LONGEST_WAIT_MILLISECONDS = 100;
const MOST_WAITING = 200;

/** Nothing recorded yet. */
export function noRollout(owner: Owner): Rollout {
  return { owner, waiting: [], silent: new Map(), cancelTimer: undefined, writing: undefined };
}

/** Records something beside the messages, when there is a store that does. It is written together with the next message. */
export function note(session: AgentSession, facts: RolloutFacts): void {
  const {
    storage: { rollout },
    clock,
    identity,
  } = session;
  if (rollout === undefined) return;
  const timestamp = isoTime(clock.now());
  add(session, rollout, { ...facts, turn_id: identity.turn_id ?? "", timestamp });
}

/** Records what hooks did with an event, when there is a store that does. Answers what they decided. */
export function noteRuns(
  session: AgentSession,
  hook_event_name: string,
  fields: Readonly<Record<string, unknown>>,
  decision: Decision,
): Decision {
  const {
    storage: { rollout },
    identity,
  } = session;
  if (rollout === undefined) return decision;
  const { runs } = decision;
  const first = runs[0];
  if (first === undefined) return decision;
  const { tool_use_id, response } = fields;
  const { said_nothing, told } = whatTheySaid(rollout, hook_event_name, runs, tool_use_id !== undefined);
  add(session, rollout, {
    type: "hook_runs",
    hook_event_name,
    event_id: first.event_id,
    tool_use_id: typeof tool_use_id === "string" ? tool_use_id : undefined,
    message_id: idOf(response),
    said_nothing,
    runs: told,
    turn_id: identity.turn_id ?? "",
    timestamp: first.started_at,
  });
  return decision;
}

const NO_RUNS: readonly RecordedRun[] = Object.freeze([]);

/** The list of the last time where it holds again: stores need not look at it once more. */
function whatTheySaid(
  { silent }: Rollout,
  hook_event_name: string,
  runs: readonly HookRun[],
  ofCall: boolean,
): { readonly said_nothing: readonly string[]; readonly told: readonly RecordedRun[] } {
  const before = silent.get(hook_event_name);
  if (before !== undefined && areSilent(runs, before)) return { said_nothing: before, told: NO_RUNS };
  const said_nothing: string[] = [];
  const told: RecordedRun[] = [];
  for (const run of runs) {
    if (saidNothing(run)) said_nothing.push(run.name);
    else told.push(recordedRun(run, ofCall));
  }
  if (told.length > 0) return { said_nothing, told };
  silent.set(hook_event_name, Object.freeze(said_nothing));
  return { said_nothing, told: NO_RUNS };
}

/** Records that everything up to a message is kept. A literal of its own: see `HookCall` of the engine. */
export function noteCheckpoint(
  session: AgentSession,
  checkpoint_type: string,
  message_id: string,
  message_count: number,
): void {
  const {
    storage: { rollout },
    clock,
    identity,
  } = session;
  if (rollout === undefined) return;
  const turn_id = identity.turn_id ?? "";
  const timestamp = isoTime(clock.now());
  add(session, rollout, {
    type: "checkpoint",
    checkpoint_type,
    message_id,
    message_count,
    turn_id,
    timestamp,
  });
}

function add(session: AgentSession, rollout: Rollout, entry: RolloutEntry): void {
  rollout.waiting.push(entry);
  if (rollout.waiting.length >= MOST_WAITING) writeRollout(session);
  rollout.cancelTimer ??= session.clock.after(LONGEST_WAIT_MILLISECONDS, () => {
    rollout.cancelTimer = undefined;
    writeRollout(session);
  });
}

/** Gives the store what waits, in order. It is not waited for; a store that fails is reported. */
export function writeRollout(session: AgentSession): void {
  const { rollout } = session.storage;
  if (rollout === undefined || rollout.waiting.length === 0) return;
  if (session.storage.taken_over) rollout.waiting.length = 0;
  const { store } = session.options;
  const { waiting, owner } = rollout;
  rollout.waiting = [];
  const recording: Promise<string | undefined>[] = [];
  for (const entry of waiting) recording.push(recordIn(store, entry, owner));
  rollout.writing = reported(session, recording);
}

/** Answers what is wrong, if anything is. */
async function recordIn(
  store: AgentStore | undefined,
  entry: RolloutEntry,
  owner: Owner,
): Promise<string | undefined> {
  try {
    await store?.record?.(entry, owner);
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}

async function reported(
  session: AgentSession,
  recording: readonly Promise<string | undefined>[],
): Promise<void> {
  let told = false;
  for (const one of recording) {
    const message = await one;
    if (message === undefined || told) continue;
    told = true;
    emit(session, { type: "error", error_type: "store_failed", message });
  }
}

/** Gives the store what waits, and resolves when it has it. Never rejects. */
export async function settleRollout(session: AgentSession): Promise<void> {
  const { rollout } = session.storage;
  if (rollout === undefined) return;
  writeRollout(session);
  rollout.cancelTimer?.();
  rollout.cancelTimer = undefined;
  await rollout.writing;
}

function idOf(message: unknown): string | undefined {
  if (typeof message !== "object" || message === null || !("id" in message)) return undefined;
  return typeof message.id === "string" ? message.id : undefined;
}

/** True for the runs of hooks with these names that had nothing to say. */
function areSilent(runs: readonly HookRun[], names: readonly string[]): boolean {
  if (runs.length !== names.length) return false;
  for (let at = 0; at < runs.length; at += 1) {
    const run = runs[at];
    if (run === undefined || run.name !== names[at] || !saidNothing(run)) return false;
  }
  return true;
}

/** Most runs come to nothing, and there are many: a record of each would cost more than the run. */
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
 * A run without what its entry says already. Of a rewrite the new value stays when it is that of one call; messages and
 * requests hold the whole conversation, and a record of each would grow with its square.
 */
function recordedRun(run: HookRun, ofCall: boolean): RecordedRun {
  const { event_id: _, started_at: _at, input_before: _before, input_after, ...facts } = run;
  return input_after === undefined || !ofCall ? facts : { ...facts, input_after };
}
