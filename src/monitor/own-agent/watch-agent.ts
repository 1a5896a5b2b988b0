import { join } from "node:path";
import type { ApprovalOptions, AskUser } from "../../core/contracts/approval.ts";
import type { Usage } from "../../core/contracts/transcript.ts";
import type { Decided } from "../../core/decide/observers.ts";
import type { Hooks } from "../../core/hooks.ts";
import { stateFolder } from "../../node/user-folders.ts";
import { agentProcess } from "../report/agent-process.ts";
import { type AskedPrompt, askDaemon, askerOf, newAskKey, waitAtPrompt } from "../report/ask.ts";
import {
  approveInMonitor,
  askInMonitor,
  callOfSuspended,
  promptOfSuspended,
  type SuspendedOn,
} from "./questions.ts";
import { type AgentReports, agentReports, type ReportedAgent } from "./reports.ts";

/** How an agent of ours is shown in the monitor. */
export interface AgentMonitor {
  /** Its name there. Default: `TENTERHOOK_AGENT_ID`, else the id of the agent. */
  readonly name?: string;
  /**
   * True: what the agent asks waits for an answer in the monitor, also when it has no `approval` or `askUser`, whose
   * `timeout` limits the time.
   */
  readonly answer?: boolean;
  /** Set for a run of the fleet: any worker continues it with an answer. `answered` is who has given the last one. */
  readonly fleet?: { readonly answered?: { readonly by: string; readonly channel: string } };
}

/** What the monitor needs of an item of the agent. */
interface Item {
  readonly type: string;
  readonly result?: {
    readonly stop_reason: string;
    readonly error?: { readonly error_type: string; readonly message: string };
    readonly waiting_for?: SuspendedOn;
    readonly usage?: Usage;
  };
}

/** What the monitor needs of an agent's options. */
interface Asks<Listened> {
  readonly askUser?: AskUser;
  readonly approval?: ApprovalOptions;
  readonly onItem?: (item: Listened) => unknown;
  readonly store?: unknown;
}

/** An agent of ours on its way into the monitor. */
export interface AgentWatch<Listened> {
  /** The options that change so that the monitor is asked and notified, too. */
  readonly options: Pick<Asks<Listened>, "approval" | "askUser" | "onItem"> & { onClosed(): void };
  /** Begins to report, and to take messages. The agent has not started then. */
  follow(agent: {
    readonly agent_id: string;
    readonly session_id: string;
    steer(message: string): Promise<unknown>;
  }): void;
}

/**
 * Shows an agent of ours in the monitor: what it does, and what it asks. `undefined` when it is not watched: nobody
 * wants it, and it was not started as a watched one.
 */
export function watchAgent<Listened extends Item>(
  monitor: boolean | AgentMonitor | undefined,
  {
    asks,
    hooks,
    environment,
  }: {
    readonly asks: Asks<Listened>;
    readonly hooks: Pick<Hooks, "observe">;
    readonly environment: NodeJS.ProcessEnv;
  },
): AgentWatch<Listened> | undefined {
  const { TENTERHOOK_AGENT_ID: given } = environment;
  if (monitor === false || (monitor === undefined && given === undefined)) return undefined;
  const { name = given, answer = false, fleet } = typeof monitor === "object" ? monitor : {};
  let who: ReportedAgent = { agent: name ?? "", session_id: "" };
  const reports = agentReports(() => who, environment);
  let unfollow = (): void => undefined;
  let listen = (_turn: AskedPrompt, _signal: AbortSignal): void => undefined;
  const states = agentStates(reports, asks.store !== undefined, fleet, (turn, signal) =>
    listen(turn, signal),
  );
  const { approval = {}, askUser, onItem } = asks;
  return {
    options: {
      ...(approval.ask === undefined && !answer
        ? {}
        : { approval: { ...approval, ask: approveInMonitor(reports, approval) } }),
      ...(askUser === undefined && !answer ? {} : { askUser: askInMonitor(reports, askUser, approval) }),
      onItem(item) {
        states.item(item);
        return onItem?.(item);
      },
      // A session that has not started has no SessionEnd, and the hook set may outlive the agent.
      onClosed: () => unfollow(),
    },
    follow(agent) {
      const { agent_id, session_id } = agent;
      who = { agent: name ?? agent_id, session_id };
      // It answers when the message has joined, which may take long; it may have ended by then.
      const take = (message: string): void => void agent.steer(message).catch(() => undefined);
      listen = (turn, signal) => void takeMessages(turn, take, environment, signal);
      unfollow = hooks.observe({
        onDecision: ({ event, decision }) => {
          // Subagents have the session of their parent, and a hook set may serve several agents.
          if (event.session_id !== session_id || event.agent_id !== agent_id) return;
          who = { ...who, cwd: event.cwd };
          states.event(event.hook_event_name, { event, decision });
          if (event.hook_event_name === "SessionEnd") unfollow();
        },
      });
    },
  };
}

/**
 * Reports the states of an agent, as its hooks and the ends of its runs show them.
 *
 * @param listen takes messages while the agent works.
 */
function agentStates(
  reports: AgentReports,
  isStored: boolean,
  fleet: AgentMonitor["fleet"],
  listen: (turn: AskedPrompt, signal: AbortSignal) => void,
) {
  let working: AbortController | undefined;
  let running = false;
  let ended = false;
  let suspended = false;
  let isResumable = false;
  let context: Usage = {};
  const begin = (prompt?: unknown): void => {
    running = true;
    suspended = false;
    const key = newAskKey();
    const turn = reports.tell("agent:turn", { new_turn: true, prompt, asker: askerOf(key) });
    if (working !== undefined || turn === undefined) return;
    working = new AbortController();
    listen({ id: turn.id, key }, working.signal);
  };
  const exit = (): void => {
    // A suspended session that is stored waits for its answer without a process.
    if (!(suspended && isStored)) reports.tell("agent:exit");
  };
  const events: Readonly<Record<string, (decided: Decided) => void>> = {
    SessionStart: ({ event: { source, transcript_path } }) => {
      const found = join(stateFolder(reports.environment), "transcripts");
      isResumable = fleet !== undefined || transcript_path?.startsWith(found) === true;
      reports.tell("agent:start", {
        ...agentProcess(process.pid),
        source,
        transcript_path,
        ...(fleet === undefined ? {} : { fleet: true }),
      });
    },
    UserPromptSubmit: ({ event: { prompt } }) => begin(prompt),
    TurnStart({ event: { is_hook_input_turn } }) {
      if (is_hook_input_turn === true) begin();
    },
    Resume({ event: { answers } }) {
      if (answers !== undefined)
        reports.tell("agent:answer", {
          continues: true,
          answer: answers,
          by: "user",
          channel: "agent",
          ...fleet?.answered,
        });
      begin();
    },
    PostModelResponse({ event: { usage = {} } }) {
      const { context_tokens, context_window, context_left } = usage;
      context = { context_tokens, context_window, context_left };
    },
    SessionEnd() {
      ended = true;
      // A run that closes its agent reports how it ended first.
      if (!running) exit();
    },
  };
  return {
    event: (name: string, decided: Decided): void => events[name]?.(decided),
    item({ type, result }: Item): void {
      if (type !== "done" || result === undefined) return;
      running = false;
      working?.abort();
      working = undefined;
      const { stop_reason, error, waiting_for } = result;
      const usage = { ...context, ...result.usage };
      suspended = waiting_for !== undefined;
      if (error !== undefined)
        reports.tell("agent:error", { error_type: error.error_type, error_message: error.message, usage });
      else if (waiting_for !== undefined)
        reports.tell("agent:prompt", {
          ...promptOfSuspended(waiting_for),
          suspended: true,
          ...(isStored ? {} : { in_memory: true }),
          usage,
          ...(isResumable ? { call: callOfSuspended(waiting_for) } : {}),
        });
      else
        reports.tell(stop_reason === "cancelled" ? "agent:interrupted" : "agent:stopped", {
          because: stop_reason,
          usage,
        });
      if (ended) exit();
    },
  };
}

/**
 * Passes messages to a running agent on to it, until the signal is aborted. Never rejects.
 *
 * @param asked the turn that the agent has reported, in place of a prompt.
 */
async function takeMessages(
  asked: AskedPrompt,
  take: (message: string) => unknown,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<void> {
  const ask = askDaemon(environment);
  const milliseconds = () => Number.POSITIVE_INFINITY;
  for (;;) {
    const waited = await waitAtPrompt({ ...asked, milliseconds }, ask, signal);
    if (!("given" in waited)) return;
    if (typeof waited.given.answer === "string") await take(waited.given.answer);
  }
}
