import { applyCeilings } from "./apply-ceilings.ts";
import { type AsyncRuns, startAsyncHook } from "./async-runs.ts";
import { buildEvent, checkEvent } from "./build-event.ts";
import { countEvent, countStop } from "./ceilings.ts";
import type { WallTime } from "./clock.ts";
import type { Decision } from "./decision.ts";
import { TenterhookError } from "./errors.ts";
import { unknownEvent } from "./event-catalogue.ts";
import type { AnyEvent } from "./event-types.ts";
import type { FireOptions, FireScope } from "./fire-scope.ts";
import { isRecord } from "./json.ts";
import type { Limits } from "./limits.ts";
import type { Observers } from "./observers.ts";
import { makePlan, type Pass, rewrittenFields, runPass } from "./pass.ts";
import type { Ports } from "./ports.ts";
import { type Raise, raiseError, raiseFailures } from "./raise.ts";
import { recheck } from "./recheck.ts";
import type { Registry } from "./registry.ts";
import { agentState, type SessionState, type Sessions } from "./session-state.ts";
import { toolOf } from "./subjects.ts";
import { Tally } from "./tally.ts";

/** What deciding needs to know of a hook set. */
export interface Engine {
  readonly registry: Registry;
  readonly sessions: Sessions;
  readonly observers: Observers;
  readonly ports: Ports;
  readonly limits: Limits;
  readonly asyncRuns: AsyncRuns;
  readonly wallTime: WallTime;
}

/**
 * Decides one event: plan, run, recheck, merge.
 *
 * Rejects only when the event itself is wrong; whatever a hook does ends up in the decision.
 */
export async function fire(engine: Engine, input: unknown, options: FireOptions): Promise<Decision> {
  if (!isRecord(input)) throw new TenterhookError("invalid_event", "An event must be an object.");
  const name = input.hook_event_name;
  const known = typeof name === "string" ? engine.registry.find(name) : undefined;
  if (known === undefined) throw unknownEvent(name, engine.registry.eventNames());
  checkEvent(input, known);

  const { clock } = engine.ports;
  const session = engine.sessions.of(input.session_id);
  session.seq += 1;
  const agent = agentState(session, typeof input.agent_id === "string" ? input.agent_id : input.session_id);
  const started = clock.monotonic();
  countEvent(agent, known.row, input, started);
  const occurrence = known.name === "Error" ? countError(session, input.error_type) : undefined;

  const tool = toolOf(input);
  const candidates = engine.registry.candidates(known.name, tool);
  if (
    candidates.length === 0 &&
    session.pending_messages === undefined &&
    session.pending_context === undefined
  ) {
    if (known.allowed.has("keep_going")) countStop(agent);
    if (known.row.inside_run === false) engine.sessions.end(input.session_id);
    return { action: "continue", context: [], user_messages: [], hook_inputs: [], runs: [] };
  }

  const stamp = { event_id: engine.ports.newId(), seq: session.seq, time: engine.wallTime.at(started) };
  const scope: FireScope = {
    known,
    ports: engine.ports,
    limits: engine.limits,
    observers: engine.observers,
    session,
    agent,
    options,
    event_id: stamp.event_id,
    wall: stamp.time,
    started,
    reading: started,
    runs: 0,
  };
  const event = buildEvent(occurrence === undefined ? input : { ...input, occurrence }, known, stamp);
  const tally = new Tally(scope);
  const pass: Pass = { scope, tally, event, rewritten: false, plan: candidates, judged: [] };
  takePending(pass);
  const raise: Raise = (error) =>
    fire(engine, { ...identityOf(event), ...error, hook_event_name: "Error" }, options);

  pass.plan = makePlan(pass, candidates);
  const running = runPass(pass, (hook, seen) => startAsyncHook(pass, hook, seen, engine.asyncRuns, raise));
  if (running !== undefined) await running;
  if (pass.rewritten) await recheck(pass, event, tool, engine.registry);
  const ceiling = applyCeilings(pass);
  if (ceiling !== undefined)
    await raiseError(pass, raise, { error_type: "ceiling", error_message: ceiling.message });
  if (tally.failures.length > 0) await raiseFailures(pass, raise);
  if (known.row.inside_run === false) engine.sessions.end(event.session_id);
  return tally.decision(pass.event, pass.rewritten ? rewrittenFields(pass) : undefined);
}

function countError(session: SessionState, type: unknown): number {
  session.errors ??= new Map();
  const key = String(type);
  const occurrence = (session.errors.get(key) ?? 0) + 1;
  session.errors.set(key, occurrence);
  return occurrence;
}

/** What async hooks left for this session goes to the first event that can take it. */
function takePending({ scope, tally }: Pass): void {
  const { session, known } = scope;
  if (session.pending_messages !== undefined) {
    tally.userMessages.push(...session.pending_messages);
    session.pending_messages = undefined;
  }
  if (session.pending_context !== undefined && known.allowed.has("context")) {
    tally.context.push(...session.pending_context);
    session.pending_context = undefined;
  }
}

/** The fields that say whose event it is, for an Error event about it. */
function identityOf(event: AnyEvent): Record<string, unknown> {
  const { session_id, cwd, agent_id, agent_type, host, parent_agent_id, turn_id, transcript_path } = event;
  const tool = toolOf(event);
  return {
    session_id,
    cwd,
    agent_id,
    agent_type,
    host,
    parent_agent_id,
    turn_id,
    transcript_path,
    ...(tool === undefined ? {} : { tool }),
  };
}
