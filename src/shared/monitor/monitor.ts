import type { DecisionOption, PromptType } from "../../core/contracts/questions.ts";
import type { Usage } from "../../core/contracts/transcript.ts";
import type { SaidUsage } from "../said-usage.ts";
import type { DecisionSource } from "./decisions.ts";
import type { Delivery } from "./delivery.ts";
import type { MonitorEvent, StateSource } from "./events.ts";
import type { KeptFor } from "./history.ts";
import type { Attempts, PendingAction } from "./pending-action.ts";
import type { TriggerName } from "./triggers.ts";

export const AGENT_STATES = ["starting", "working", "idle", "prompting", "failed", "exited", "gone"] as const;
export type AgentState = (typeof AGENT_STATES)[number];

/** Where and when a process was started, since process ids are reused. */
export interface ProcessIdentity {
  readonly host: string;
  readonly machine: string;
  readonly started?: string;
  /** True for a part of an editor: what its agent runs is started by other parts. */
  readonly is_editor?: true;
}

/** A prompt that a hook waits at. */
export interface HeldPrompt {
  readonly id: string;
  readonly since: string;
  /** Absent: as long as its agent does. */
  readonly waits_until?: string;
  readonly prompt_type: PromptType;
  readonly question?: unknown;
  /** Names the call that it is about. */
  readonly call_key?: string;
  /** The subagent that asks. */
  readonly subagent?: string;
}

/** An agent as the monitor sees it. */
export interface AgentStatus {
  readonly agent_id: string;
  /** The machine that reports it, by its name; absent for this one. Its id ends with `@` and that name. */
  readonly machine?: string;
  /** The program: `claude`, `codex`, `tenterhook`. */
  readonly host?: string;
  readonly state: AgentState;
  /** When it got into this state. */
  readonly since: string;
  /** Where the state is known from, and when that was last said. */
  readonly source?: StateSource;
  readonly confirmed_at?: string;
  /** `working`: since when nothing has confirmed it, neither a hook nor its transcript. */
  readonly no_news_since?: string;
  readonly session_id?: string;
  readonly cwd?: string;
  /** The process, where it is known. */
  readonly pid?: number;
  /** Tells the process from a later one with the same id. */
  readonly process?: ProcessIdentity;
  /** What the process was started with. */
  readonly args?: readonly string[];
  /** True when `tenterhook run` has started it, with settings for that run. */
  readonly watched?: true;
  /** True for a run of the fleet: when its process ends, any worker continues it, perhaps on another machine. */
  readonly fleet?: true;
  readonly transcript_path?: string;
  /** The file with the last lines that it printed, where they pass through us. */
  readonly output_path?: string;
  /** What it has used in all its turns, and how full its context is, as far as its transcript tells. */
  readonly usage?: Usage;
  /** What it had used before its present turn. */
  readonly used_before?: Usage;
  /** What it says itself about its session, and what earlier processes of it had cost. Both are in `usage`. */
  readonly said?: SaidUsage;
  readonly said_before?: number;
  /** The prompts that a hook waits at, the oldest first. */
  readonly held?: readonly HeldPrompt[];
  /** Those whose hook has replied with an answer, until the agent shows what it made of that. */
  readonly given?: readonly HeldPrompt[];
  /** `idle`: true when its user has interrupted the turn. */
  readonly interrupted?: true;
  /** `working`: what its turn has left running, such as a subagent; it goes on by itself when that has ended. */
  readonly waits_for?: string;
  /** `prompting`: true when it is suspended. It needs no process until it is answered. */
  readonly suspended?: true;
  /** `prompting`: what it waits for. */
  readonly prompt_type?: PromptType;
  readonly question?: unknown;
  /** `failed`: the kind of error. */
  readonly error_type?: string;
  readonly error_message?: string;
  /** `exited`: the exit code, where it is known. */
  readonly exit_code?: number;
  /** `exited`: the signal that asked it to end, such as `SIGINT` after Ctrl-C. */
  readonly exit_signal?: string;
  /** `exited`, `gone`: the last lines that it printed, where they passed through us. */
  readonly last_output?: string;
  /** What the agent was given to do last, shortened. */
  readonly task?: string;
  /** How its work ended, by its own signal, by a trigger or by a human; absent while it works on. */
  readonly outcome?: "done" | "failed";
  /** How often a trigger has acted since the agent last made progress, and when it last did. */
  readonly attempts?: { readonly [Name in TriggerName]?: Attempts };
  /** True when the trigger of its present state has acted for the last time. */
  readonly handled?: true;
  /** What the monitor has begun to do and not ended. */
  readonly pending?: PendingAction;
  /** True when a person has taken it off the list; it comes back with what it reports next. */
  readonly dismissed?: true;
}

/** The call that a suspended agent waits for. An answer counts for this call only. */
export interface WaitingCall {
  readonly tool_use_id: string;
  /** From 2 on: it was answered before and asks something else now. */
  readonly ask?: number;
  /** The subagent whose call it is. */
  readonly subagent_id?: string;
}

/** How a decision ended. */
export interface Resolution {
  readonly at: string;
  /** The user, or why nobody has to answer any more. */
  readonly by: string;
  /** Where the answer came from: `cli`, `http`, `dashboard`, `emit`, `agent`, `timeout`, or the type of a channel such as `telegram`. */
  readonly channel: string;
  readonly answer?: unknown;
  /** What became of an answer that a hook waits for; absent while that is open. */
  readonly fate?: AnswerFate;
  /** When the hook replied with it. */
  readonly given_at?: string;
}

/**
 * What became of an answer. `given`: the hook has replied with it. `taken`: its agent has used it, as the agent shows afterwards.
 * `unused`: its agent went on without it, since its user had answered in the terminal. `late`: no hook was given it.
 */
export const ANSWER_FATES = ["given", "taken", "unused", "late"] as const;
export type AnswerFate = (typeof ANSWER_FATES)[number];

/** Something that a human has to decide for an agent. */
export interface HumanRequest {
  readonly id: string;
  readonly agent_id: string;
  /** What people call the agent, where another one is called the same. Not stored. */
  readonly agent_name?: string;
  /** The machine whose agent asks, by its name; absent for this one. That machine's daemon gives it the answer. */
  readonly machine?: string;
  /** The program: `claude`, `codex`, `tenterhook`. */
  readonly host?: string;
  readonly session_id?: string;
  readonly cwd?: string;
  readonly source: DecisionSource;
  /** What is to be decided, and what led to it. */
  readonly context: string;
  readonly options: readonly DecisionOption[];
  /** The questions of an agent, each with options of its own. */
  readonly questions?: readonly unknown[];
  /** The answers so far, one for each question, while some are missing. */
  readonly given?: readonly (string | null)[];
  readonly state: "open" | "resolved" | "superseded" | "dismissed";
  readonly created_at: string;
  /** The event whose hook waits for the answer; absent when nothing waits. */
  readonly prompt?: string;
  /** Until when it waits; absent for one that waits as long as its agent does. */
  readonly waits_until?: string;
  /** True when the hook has stopped waiting, while the agent's own dialog still stands. */
  readonly at_terminal?: true;
  /** True when the wait hides the agent's own dialog: it is short unless the user is away. */
  readonly hidden?: true;
  /** True when the agent takes no answer from outside to what it asks. */
  readonly only_at_terminal?: true;
  /** True when the agent is suspended: the answer continues it (`tenterhook sessions resume`, `agent.continue`). */
  readonly suspended?: true;
  /** What it waits for, when the monitor can continue it: its session is where `tenterhook sessions resume` finds it. */
  readonly call?: WaitingCall;
  /** Tells the call that a hook holds from any other: an answer counts for this call only. */
  readonly call_digest?: string;
  /** What its agent calls that call. */
  readonly tool_use_id?: string;
  /** The input of that call, where the answer may change it. */
  readonly tool_input?: Readonly<Record<string, unknown>>;
  /** True when it stays open though the agent has ended its turn. */
  readonly escalated?: true;
  /** `check`: the command that failed, its seconds, and the trigger that has it. */
  readonly check?: { readonly run: string; readonly timeout: number; readonly check_of?: TriggerName };
  readonly resolved?: Resolution;
}

/** What a session used on one day. */
export interface UsedOnDay {
  /** `2026-03-09`, where the user is. */
  readonly day: string;
  readonly session_id: string;
  readonly cwd: string;
  readonly host: string;
  readonly tokens: number;
  /** Absent when nobody knows the price of a part. */
  readonly cost_usd?: number;
}

/** A state that an agent got into. */
export interface StateChange {
  readonly agent_id: string;
  readonly since: string;
  readonly state: AgentState;
  readonly source: StateSource;
}

/** What a token lets the machine or the person do that was given it. */
export const TOKEN_ROLES = ["reporter", "person", "viewer"] as const;
export type TokenRole = (typeof TOKEN_ROLES)[number];

/** A token for the daemon of a team, or for a page of its own user. What was shown when it was made is kept as a hash only. */
export interface TeamToken {
  readonly id: string;
  readonly role: TokenRole | "page";
  /** Whom or what it is for. */
  readonly name?: string;
  /** SHA-256 of the whole token, in hexadecimal. */
  readonly hash: string;
  readonly created_at: string;
  readonly expires_at?: string;
  readonly revoked_at?: string;
  /** `reporter`: the machine that has joined with it. Another one can't use it. */
  readonly machine?: { readonly name: string; readonly id: string };
  /** When it was last used, to the minute. */
  readonly seen_at?: string;
}

/** An event with its place in the order in which events were stored. */
export interface PlacedEvent {
  readonly position: number;
  readonly event: MonitorEvent;
}

/** The tables of the monitor, inside a transaction. */
export interface MonitorTables {
  /** False when the event is known already. */
  addEvent(event: MonitorEvent): boolean;
  event(id: string): MonitorEvent | undefined;
  agent(agentId: string): AgentStatus | undefined;
  agents(): readonly AgentStatus[];
  putAgent(status: AgentStatus): void;
  /** Adds to what a session has used on a day. */
  addUsed(used: UsedOnDay): void;
  decision(id: string): HumanRequest | undefined;
  /** The one whose answer the hook of this prompt waits for. */
  decisionOf(prompt: string): HumanRequest | undefined;
  putDecision(decision: HumanRequest): void;
  openDecisions(agentId: string): readonly HumanRequest[];
  deliveries(decisionId: string): readonly Delivery[];
  putDelivery(delivery: Delivery): void;
  /** How far a channel has read. */
  mark(name: string): string | undefined;
  putMark(name: string, value: string): void;
  tokens(): readonly TeamToken[];
  putToken(token: TeamToken): void;
  dropToken(id: string): void;
}

/** Where the monitor stores events, agents and decisions. */
export interface MonitorStore {
  /** Does all of `work` or nothing, and is durable when it resolves. */
  update<Result>(work: (tables: MonitorTables) => Result): Promise<Result>;
  /** Calls this with each decision that was stored. It must not throw. */
  watch(listener: (decision: HumanRequest) => void): void;
  agents(): Promise<readonly AgentStatus[]>;
  /** The newest first; of all, at most so many. */
  decisions(which: "open" | "all", most?: number): Promise<readonly HumanRequest[]>;
  /** Those that a person can mean: all that are open, the one with this id, and some whose ids begin like this. */
  decisionsLike(id: string): Promise<readonly HumanRequest[]>;
  /** Those whose answer may not have come to the hook that waits for it. */
  undelivered(): Promise<readonly HumanRequest[]>;
  /** Those of other machines that were answered here, until their machine says what came of it; the oldest first. */
  answered(): Promise<readonly HumanRequest[]>;
  /** Messages that are to be sent, or whose decision may have been closed meanwhile; the oldest decision first. */
  pendingDeliveries(): Promise<readonly Delivery[]>;
  /** The message that a channel names like this. */
  findDelivery(channel: string, ref: string): Promise<Delivery | undefined>;
  /** What sessions used on this day and later. */
  used(since: string): Promise<readonly UsedOnDay[]>;
  token(id: string): Promise<TeamToken | undefined>;
  /** The states of all agents since this time and the ones that they were in then; those of an agent in order. */
  states(since: string): Promise<readonly StateChange[]>;
  /** The newest events of an agent, the newest first. */
  eventsOf(agentId: string, most: number): Promise<readonly MonitorEvent[]>;
  /** The events that were stored after the one at this position, the first of them first. */
  eventsAfter(position: number, most: number): Promise<readonly PlacedEvent[]>;
  /** Deletes what is older than `keep` allows, in small steps, and gives the room back. */
  forget(keep: KeptFor): Promise<void>;
  close(): Promise<void>;
}
