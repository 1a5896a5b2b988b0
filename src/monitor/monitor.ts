import { isTenterhookError, TenterhookError } from "../core/base/errors.ts";
import { sameJson, withoutUndefined } from "../core/base/json.ts";
import type { ChannelType } from "../shared/monitor/channels.ts";
import { type EventType, eventOf, type MonitorEvent, type SaidFields } from "../shared/monitor/events.ts";
import type { AgentStatus, HumanRequest, MonitorStore } from "../shared/monitor/monitor.ts";
import { withAgentNames } from "./agent-name.ts";
import { isAnsweredHere } from "./decisions/elsewhere.ts";
import { findDecision } from "./decisions/find.ts";
import { CHANGED, refusalOf } from "./decisions/receipt.ts";
import { type Choice, readChoice } from "./decisions/resolve.ts";
import { promptWaiters, type SessionMessage } from "./decisions/waiters.ts";
import { applyEvent, putChanged } from "./intake/take-in.ts";
import { ACTION, actionFor } from "./report/actions.ts";
import type { Ask, AskedPrompt } from "./report/ask.ts";
import { NO_LONGER_ASKED, NOBODY } from "./report/endings.ts";
import { newEventId } from "./report/spool.ts";
import { newsOf } from "./state/turn-news.ts";

export interface Answerer {
  readonly by: string;
  readonly channel: "cli" | "http" | "dashboard" | "timeout" | ChannelType;
}

/** An answer that a person has given on another machine to what an agent of this one asks. */
export interface PassedAnswer {
  readonly id: string;
  readonly answer: unknown;
  readonly by: string;
  readonly channel: string;
  /** `call_digest` of the decision that was answered. */
  readonly call?: string;
}

/** What was seen of an agent: the type of an event, and its fields. */
export interface Seen {
  readonly type: EventType;
  /** As it was when it was looked at. */
  readonly agent: AgentStatus;
  readonly fields?: SaidFields & { readonly time?: string };
}

export interface Monitor {
  agents(): Promise<readonly AgentStatus[]>;
  decisions(which: "open" | "all", most?: number): Promise<readonly HumanRequest[]>;
  /** Those that a person can mean by the beginning of an id. */
  decisionsLike(id: string): Promise<readonly HumanRequest[]>;
  /** Reports what looks at agents show, all together. Nothing about one that has changed since it was read: look again. */
  report(...seen: readonly Seen[]): Promise<void>;
  /**
   * Lets the monitor act for an agent, as `decide` says of its present status.
   *
   * @returns the agent after it; `undefined` when there is nothing to do.
   */
  act(
    agentId: string,
    decide: (status: AgentStatus) => SaidFields | undefined,
  ): Promise<AgentStatus | undefined>;
  /**
   * Answers a decision by the beginning of its id, or by the name of its agent. The answer travels back through the hook that
   * waits for it: `fate` says whether that was given it, and whether the agent has taken it.
   *
   * @throws TenterhookError `unknown_decision`, `ambiguous_name`, `decision_closed`, `call_changed`, `usage_error` for a choice that does
   * not fit, `no_prompt` when nothing waits for the answer.
   */
  resolve(id: string, choice: Choice, answerer: Answerer): Promise<HumanRequest>;
  /**
   * Gives an answer that has come from another machine, unless the decision has ended.
   *
   * @returns the decision as it is then; `undefined` when nobody knows it.
   */
  pass(answer: PassedAnswer): Promise<HumanRequest | undefined>;
  /**
   * Closes a decision that nobody answered in time, with this choice if it can be given.
   *
   * @returns false when it is closed already.
   */
  expire(id: string, choice: Choice | undefined): Promise<boolean>;
  /**
   * Waits for the answer to a prompt that was reported, and is stored. Who asks says itself when it has taken the answer.
   *
   * @throws TenterhookError `not_allowed` for a prompt of another process.
   */
  readonly ask: Ask;
  /** Takes a question back whose process has gone without a word. */
  withdraw(asked: AskedPrompt): Promise<void>;
  /** The message of an action under way, and whose it is. */
  messageOf(actionId: string): Promise<SessionMessage | undefined>;
  /** Gives a message to the running turn of a session. False when it takes none now. */
  passMessage(message: SessionMessage): Promise<boolean>;
  /** Records which answers no hook has taken, once none waits for them. */
  settleAnswers(): Promise<void>;
  /** Lets everybody go who waits. */
  close(): void;
}

/** When no hook waits, the person who answered waits this long. */
const TAKEN_MILLISECONDS = 3000;

/** @param takenMilliseconds how long an answer waits for a hook to take it before it counts as too late. */
export function createMonitor(store: MonitorStore, takenMilliseconds = TAKEN_MILLISECONDS): Monitor {
  const { ask, left, passMessage, settled, settle, close } = promptWaiters(store, takenMilliseconds);
  /** The agent's user may have answered at its terminal a moment ago. */
  const readTranscript = async (agentId: string): Promise<void> => {
    const agent = await store.update((tables) => tables.agent(agentId));
    const news = agent && newsOf(agent);
    if (agent && news) await self.report({ agent, ...news });
  };
  /** Gives the answer that `answered` records, and says how the decision is then. */
  const give = async (
    found: HumanRequest,
    answered: (decision: HumanRequest, at: string) => HumanRequest,
  ): Promise<{ readonly now: HumanRequest; readonly isAnswer: boolean }> => {
    const isHere = found.machine === undefined;
    if (isHere && found.prompt !== undefined) await readTranscript(found.agent_id);
    const [next, isAnswer] = await store.update((tables) => {
      // Another client may have answered meanwhile.
      const decision = tables.decision(found.id) ?? found;
      const after = answered(decision, new Date().toISOString());
      const isNew = after !== decision && after.state === "resolved";
      if (after !== decision) putChanged(after, tables);
      // An answer that a hook waits for counts when the hook was given it.
      if (isNew && isHere && after.prompt === undefined && after.source !== "session")
        applyEvent(followingEvent(after, newEventId()), tables);
      return [after, isNew] as const;
    });
    const isCarried = isAnswer && (next.prompt !== undefined || !isHere);
    return { now: isCarried ? await settled(next) : next, isAnswer };
  };
  const named = async (decisions: readonly HumanRequest[]): Promise<readonly HumanRequest[]> =>
    decisions.length === 0 ? decisions : withAgentNames(decisions, await store.agents());
  const self: Monitor = {
    agents: () => store.agents(),
    decisions: async (which, most) => named(await store.decisions(which, most)),
    decisionsLike: async (id) => named(await store.decisionsLike(id)),
    async report(...seen) {
      if (seen.length === 0) return;
      await store.update((tables) => {
        for (const { type, agent, fields = {} } of seen)
          if (sameJson(tables.agent(agent.agent_id), agent))
            applyEvent(eventAbout(type, agent, newEventId(), fields, fields.time), tables);
      });
    },
    act: (agentId, decide) =>
      store.update((tables) => {
        const status = tables.agent(agentId);
        const fields = status && decide(status);
        if (status === undefined || fields === undefined) return undefined;
        applyEvent(eventAbout(ACTION, status, newEventId(), fields), tables);
        return tables.agent(agentId);
      }),
    async resolve(id, choice, { by, channel }) {
      const found = findDecision(await self.decisionsLike(id), id);
      let answer: unknown;
      const { now, isAnswer } = await give(found, (decision, at) => {
        if (isDismissal(decision, choice))
          return { ...decision, state: "dismissed", resolved: { at, by, channel } };
        answer = answerTo(decision, choice);
        return { ...decision, state: "resolved", resolved: { at, by, channel, answer } };
      });
      // The agent's user may have been faster, or somebody on its machine.
      const { state, resolved } = now;
      const isOwn = resolved?.channel === channel && sameJson(resolved.answer, answer);
      const [shown = now] = await named([now]);
      if (!isAnswer || (state === "resolved" && isOwn)) return shown;
      throw refusal(shown);
    },
    async pass({ id, answer, by, channel, call }) {
      const found = await store.update((tables) => tables.decision(id));
      if (found === undefined || found.machine !== undefined) return undefined;
      const { now } = await give(found, (decision, at) =>
        decision.state === "open" && call === decision.call_digest && isAnsweredHere(decision)
          ? { ...decision, state: "resolved", resolved: { at, by, channel, answer } }
          : decision,
      );
      return now;
    },
    async expire(id, choice) {
      try {
        if (choice !== undefined) {
          await self.resolve(id, choice, NOBODY);
          return true;
        }
      } catch (error) {
        if (!isTenterhookError(error)) throw error;
      }
      return store.update((tables) => {
        const decision = tables.decision(id);
        if (decision?.state !== "open") return false;
        const { prompt } = decision;
        const resolved = { at: new Date().toISOString(), ...NOBODY };
        if (prompt === undefined) tables.putDecision({ ...decision, state: "dismissed", resolved });
        // Its hook was killed, or it would have said so.
        else applyEvent(eventAbout("agent:wait_over", decision, newEventId(), { prompt }), tables);
        return true;
      });
    },
    ask,
    async withdraw(asked) {
      const decision = await left(asked);
      if (decision === undefined) return;
      const fields = { prompt: asked.id, by: NO_LONGER_ASKED.by };
      const event = eventAbout("agent:answer", decision, newEventId(), fields);
      await store.update((tables) => applyEvent(event, tables));
    },
    async messageOf(actionId) {
      const agent = (await store.agents()).find(({ pending }) => pending?.id === actionId);
      const { session_id, pending: { message } = {} } = agent ?? {};
      return session_id === undefined || message === undefined ? undefined : { session_id, message };
    },
    passMessage,
    settleAnswers: settle,
    close,
  };
  return self;
}

/** True when a person takes a question off the list that they can't answer here. */
function isDismissal(decision: HumanRequest, { choices }: Choice): boolean {
  return decision.state === "open" && !isAnsweredHere(decision) && choices.join(" ") === "dismiss";
}

function refusal(decision: HumanRequest): TenterhookError {
  const { kind, text } = refusalOf(decision);
  if (decision.state === "open") return new TenterhookError("no_prompt", text);
  return new TenterhookError(kind === "refused" ? "call_changed" : "decision_closed", text);
}

function answerTo(decision: HumanRequest, choice: Choice): unknown {
  if (decision.state !== "open" || !isAnsweredHere(decision)) throw refusal(decision);
  if (choice.call !== undefined && choice.call !== decision.call_digest)
    throw new TenterhookError("call_changed", CHANGED.text);
  const read = readChoice(decision, choice);
  if ("problem" in read) throw new TenterhookError("usage_error", read.problem);
  return read.answer;
}

/** What follows from an answer that no hook waits for: the monitor acts, or the agent's log shows it. */
function followingEvent(decision: HumanRequest, id: string): MonitorEvent {
  const { prompt, resolved } = decision;
  const action = actionFor(decision);
  const { answer, by, channel } = resolved ?? {};
  const given = withoutUndefined({ answer, by, channel });
  return action === undefined
    ? eventAbout("agent:answer", decision, id, { prompt, ...given }, resolved?.at)
    : eventAbout(ACTION, decision, id, { ...action, decision: decision.id }, resolved?.at);
}

function eventAbout(
  type: EventType,
  { agent_id, session_id, machine }: Pick<AgentStatus, "agent_id" | "session_id" | "machine">,
  id: string,
  fields: SaidFields,
  time = new Date().toISOString(),
): MonitorEvent {
  // What this machine makes of another one's agent is for its own lists.
  const here = machine === undefined ? {} : { machine, only_here: true };
  return eventOf({ v: 1, id, time, type, agent_id }, { session_id, ...here, ...fields });
}
