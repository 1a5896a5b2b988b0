import { errorMessage } from "../../core/base/error-text.ts";
import { isTenterhookError } from "../../core/base/errors.ts";
import { withoutUndefined } from "../../core/base/json.ts";
import type { MonitorEvent } from "../../shared/monitor/events.ts";
import type {
  AgentState,
  AgentStatus,
  HumanRequest,
  MonitorStore,
  MonitorTables,
} from "../../shared/monitor/monitor.ts";
import { decisionsAfter, fatesAfter } from "../decisions/after-event.ts";
import { ACTION_ENDED } from "../report/actions.ts";
import { hasGone, isFromBelow } from "../report/agent-process.ts";
import { reduce } from "../state/reduce.ts";
import { endsAction, isOtherSession, rowOf } from "../state/transitions.ts";
import { usedBy } from "../state/usage.ts";
import { ofMachine } from "./as-stored.ts";

interface WithEvents {
  readonly mark?: { readonly name: string; readonly value: string };
  /** The machine that reports them, when it is not this one. */
  readonly machine?: string;
}

/**
 * Stores events with the states and decisions that follow from them. One that can't be stored is left out.
 *
 * @throws the store's own error, which says nothing about the events: another time.
 */
export async function takeWhatCanBe(
  store: MonitorStore,
  events: readonly MonitorEvent[],
  { mark, machine, onError }: WithEvents & { readonly onError: (error: unknown) => void },
): Promise<void> {
  const from = withoutUndefined({ machine });
  const all = { ...from, ...withoutUndefined({ mark }) };
  try {
    await takeIn(store, events, all);
  } catch (error) {
    const [{ id, agent_id } = {}, ...more] = events;
    if (isOfStore(error)) throw error;
    if (more.length === 0)
      return onError(new Error(`The event ${id} of ${agent_id} can't be stored: ${errorMessage(error)}`));
    for (const event of events) await takeWhatCanBe(store, [event], { ...from, onError });
    await takeIn(store, [], all);
  }
}

function isOfStore(error: unknown): boolean {
  return isTenterhookError(error) || (error instanceof Error && "errcode" in error);
}

/**
 * Stores events with the states and decisions that follow from them, all or none. An event that is known changes
 * nothing.
 *
 * @returns those that were new.
 */
export function takeIn(
  store: MonitorStore,
  events: readonly MonitorEvent[],
  { mark, machine }: WithEvents = {},
): Promise<readonly MonitorEvent[]> {
  return store.update((tables) => {
    if (mark !== undefined) tables.putMark(mark.name, mark.value);
    return events.filter((event) => applyEvent(ofMachine(event, machine), tables));
  });
}

/** Stores one event with what follows from it. False when it is known, or another agent's than the one that it names. */
export function applyEvent(reported: MonitorEvent, tables: MonitorTables): boolean {
  // The daemon of another machine has found out whose event it is.
  const named = reported.machine === undefined ? ofOwnAgent(reported, tables) : reported;
  if (named === undefined) return false;
  // What hooks decided changes no agent: it is on its way to other machines.
  if (named.type === "hooks:recorded") return tables.addEvent(named);
  const before = tables.agent(named.agent_id);
  const event = withOwnCommand(named, before);
  if (!tables.addEvent(event)) return false;
  const status = onMachine(reduce(before, event), event.machine);
  if (status !== before) tables.putAgent(status);
  const used = status === before ? undefined : usedBy(before, status, event);
  if (used !== undefined) tables.addUsed(used);
  const isEnd = event.type === ACTION_ENDED;
  if (isEnd && !endsAction(before, event)) return true;
  const carried = isEnd ? before?.pending?.decision : undefined;
  const answered = ownDecision(carried, event, tables);
  // What the user is asked about a terminal ends by no event.
  const asked = tables.openDecisions(event.agent_id).filter(({ source }) => source !== "session");
  const open = [...asked, ...untaken(event, tables)];
  const given = (before?.given ?? []).flatMap(({ id }) => tables.decisionOf(id) ?? []);
  for (const decision of [...decisionsAfter(open, event, status, answered), ...fatesAfter(given, event)])
    if (isOfSameMachine(tables.decision(decision.id) ?? decision, event)) putChanged(decision, tables);
  return true;
}

/** Stores a decision. Where messages tell how it stood before, they are to tell this. */
export function putChanged(decision: HumanRequest, tables: MonitorTables): void {
  const before = tables.decision(decision.id);
  tables.putDecision(decision);
  if (before?.at_terminal !== true && before?.resolved?.fate !== "given") return;
  for (const row of tables.deliveries(decision.id))
    if (row.state === "done") tables.putDelivery({ ...row, state: "sent" });
}

/** The answer that the hook of a prompt was not given, as far as anybody knew: it reports itself what became of it. */
function untaken(event: MonitorEvent, tables: MonitorTables): readonly HumanRequest[] {
  const { prompt } = event;
  const decision =
    event.type === "agent:turn" || prompt === undefined ? undefined : tables.decisionOf(prompt);
  const isOpen = decision?.state === "resolved" && isUngiven(decision);
  return isOpen && isOfSameMachine(decision, event) ? [decision] : [];
}

function isUngiven({ resolved }: HumanRequest): boolean {
  return resolved?.fate === undefined || resolved.fate === "late";
}

/** The decision with this id, unless it is another machine's: what one reports changes nothing of the others. */
function ownDecision(
  id: string | undefined,
  event: MonitorEvent,
  tables: MonitorTables,
): HumanRequest | undefined {
  const decision = id === undefined ? undefined : tables.decision(id);
  return decision !== undefined && isOfSameMachine(decision, event) ? decision : undefined;
}

function isOfSameMachine({ machine }: HumanRequest, event: MonitorEvent): boolean {
  return machine === event.machine;
}

function onMachine(status: AgentStatus, machine: string | undefined): AgentStatus {
  return machine === undefined || status.machine === machine ? status : { ...status, machine };
}

/** The command of an action is the one that the monitor began, whatever its end names: a human may have it run again. */
function withOwnCommand(event: MonitorEvent, before: AgentStatus | undefined): MonitorEvent {
  if (event.type !== ACTION_ENDED) return event;
  const { run: _, ...rest } = event;
  const run = before?.pending?.run;
  return run === undefined ? rest : { ...rest, run };
}

/** An agent that has just been started may be a program that starts the real one; it starts no agents yet. */
const WITHOUT_INNER: ReadonlySet<AgentState> = new Set(["starting", "exited", "gone"]);

/**
 * The event under the id of its own agent. An agent that a watched one has started inherits its name: it is called by its
 * session, so that what it does is not taken for the other one's. So is an agent that uses the name of one whose process
 * has not started it; `undefined` when it uses its session, too.
 */
function ofOwnAgent(event: MonitorEvent, tables: MonitorTables): MonitorEvent | undefined {
  const { session_id, agent_id, type } = event;
  const named = tables.agent(agent_id);
  const isForeign = named !== undefined && isFromBelow(event, named) === false && !hasGone(named);
  const isOther = session_id !== undefined && session_id !== named?.session_id && session_id !== agent_id;
  if (isForeign && !isOther && !(type === "agent:start" && isOfNoAgent(event, named, tables)))
    return undefined;
  const isInner = session_id !== undefined && isOfInnerAgent(event, session_id, tables);
  if (isInner || (isForeign && isOther)) return { ...event, agent_id: session_id };
  return named === undefined ? event : withSameProcess(event, named);
}

/**
 * What an agent runs can't say that the agent is another process while that runs: it would no longer be below one. Nor can
 * what nobody knows where it comes from.
 */
function withSameProcess(event: MonitorEvent, named: AgentStatus): MonitorEvent | undefined {
  const { pid, process, session_id } = named;
  const begins = rowOf(event)?.begins === true;
  if (!begins && event.agent_pid === undefined) return event;
  const isBelow = isFromBelow(event, named);
  if (pid === undefined || isBelow === false || hasGone(named) || process?.is_editor === true) return event;
  if (isBelow === undefined && event.machine !== named.machine) return event;
  if (begins && isBelow === true) return undefined;
  // Without a session it may be a program that starts the real one.
  return session_id === undefined
    ? event
    : { ...event, agent_pid: pid, ...withoutUndefined({ agent_process: process }) };
}

/** True when no other agent has reported this: a person may continue a session in a second terminal. */
function isOfNoAgent(event: MonitorEvent, { agent_id }: AgentStatus, tables: MonitorTables): boolean {
  const others = tables.agents().filter((one) => one.agent_id !== agent_id);
  return !others.some((one) => isFromBelow(event, one) === true);
}

function isOfInnerAgent(event: MonitorEvent, session: string, tables: MonitorTables): boolean {
  const { agent_id, agent_pid } = event;
  const named = tables.agent(agent_id);
  if (named === undefined || !isOtherSession(named, event)) return false;
  // Only the first event of a session names the process.
  if (agent_pid === undefined) return isRunningAgent(tables.agent(session)?.state);
  const { pid, state } = named;
  return pid !== undefined && pid !== agent_pid && !WITHOUT_INNER.has(state) && !hasGone(named);
}

function isRunningAgent(state: AgentState | undefined): boolean {
  return state !== undefined && state !== "exited" && state !== "gone";
}
