import { isoTime } from "../core/clock.ts";
import type { Decision, HookRun } from "../core/decision.ts";
import { errorMessage } from "../core/error-text.ts";
import type { AgentStore, Owner, RecordedRun, RolloutEntry, RolloutFacts } from "./ports.ts";
import { type AgentSession, emit } from "./session.ts";

/** What is to be recorded and was not given to the store yet. */
export interface Rollout {
  readonly owner: Owner;
  readonly waiting: RolloutEntry[];
  /** Takes back the timer that gives it to the store. */
  cancelTimer: (() => void) | undefined;
  /** What the store was given last. */
  writing: Promise<unknown> | undefined;
}

/** What happens between two messages is written with the second one, unless that takes longer than this. */
const LONGEST_WAIT_MILLISECONDS = 100;
const MOST_WAITING = 200;

/** Nothing recorded yet. */
export function noRollout(owner: Owner): Rollout {
  return { owner, waiting: [], cancelTimer: undefined, writing: undefined };
}

/** Records something beside the messages, when there is a store that does. It is written together with the next message. */
export function note(session: AgentSession, facts: RolloutFacts): void {
  const { rollout, clock, identity } = session;
  if (rollout === undefined) return;
  const timestamp = isoTime(clock.now());
  add(session, rollout, { ...facts, turn_id: identity.turn_id ?? "", timestamp });
}

/** Records what hooks did with an event. Answers what they decided. */
export function noteRuns(
  session: AgentSession,
  hook_event_name: string,
  { tool_use_id, response }: Readonly<Record<string, unknown>>,
  decision: Decision,
): Decision {
  const { rollout, identity } = session;
  const { runs } = decision;
  const [first] = runs;
  if (rollout === undefined || first === undefined) return decision;
  const said_nothing: string[] = [];
  const told: RecordedRun[] = [];
  for (const run of runs) {
    if (saidNothing(run)) said_nothing.push(run.name);
    else told.push(recordedRun(run, tool_use_id !== undefined));
  }
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

/** Records that everything up to a message is kept. A literal of its own: see `HookCall` of the engine. */
export function noteCheckpoint(
  session: AgentSession,
  checkpoint_type: string,
  message_id: string,
  message_count: number,
): void {
  const { rollout, clock, identity } = session;
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
  const { rollout } = session;
  if (rollout === undefined || rollout.waiting.length === 0) return;
  if (session.taken_over) rollout.waiting.length = 0;
  const { store } = session.parts;
  const recorded: Promise<void>[] = [];
  for (const entry of rollout.waiting) recorded.push(recordIn(store, entry, rollout.owner));
  rollout.waiting.length = 0;
  rollout.writing = Promise.all(recorded).catch((error: unknown) => {
    emit(session, { type: "error", error_type: "store_failed", message: errorMessage(error) });
  });
}

async function recordIn(store: AgentStore | undefined, entry: RolloutEntry, owner: Owner): Promise<void> {
  await store?.record?.(entry, owner);
}

/** Gives the store what waits, and resolves when it has it. Never rejects. */
export async function settleRollout(session: AgentSession): Promise<void> {
  const { rollout } = session;
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
