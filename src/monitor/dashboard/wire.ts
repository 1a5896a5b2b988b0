import type { DecisionOption } from "../../core/contracts/questions.ts";
import type { CallRow } from "../../journal/activity/calls.ts";
import type { GroupFigures, HourFigures, Pace } from "../../journal/activity/figures.ts";
import type { JournalRecord } from "../../journal/record.ts";
import type { DecisionSource } from "../../shared/monitor/decisions.ts";
import type { StateSource } from "../../shared/monitor/events.ts";
import type { AgentState, AnswerFate, TeamToken } from "../../shared/monitor/monitor.ts";
import type { Receipt } from "../../shared/monitor/receipt.ts";
import type { ReplayView } from "../../shared/replay.ts";

/* What the dashboard's server and its page say to each other: types only. */

export interface AgentView {
  readonly id: string;
  readonly name: string;
  readonly host?: string;
  readonly state: AgentState;
  /** The state in words: `waits for you`, `rate limited`. */
  readonly words: string;
  /** True when its last turn or its process has failed. */
  readonly failed?: true;
  readonly since: string;
  readonly source: StateSource;
  /** When nothing has confirmed the state any more. */
  readonly no_news_since?: string;
  /** True when it has a process here that can be asked to end. */
  readonly can_stop?: true;
  readonly can_hear?: true;
  readonly session_id?: string;
  readonly cwd?: string;
  /** What it does, asks or failed with. */
  readonly doing?: string;
  /** True when `doing` is a call of a tool. */
  readonly is_call?: true;
  readonly tokens?: number;
  readonly cost_usd?: number;
  /** From 0 to 1. */
  readonly context_left?: number;
}

export interface QuestionPart {
  readonly question: string;
  readonly header?: string;
  readonly options: readonly DecisionOption[];
  readonly several: boolean;
}

export interface QuestionView {
  readonly id: string;
  readonly agent: string;
  readonly agent_id: string;
  readonly session_id?: string;
  readonly cwd?: string;
  readonly source: DecisionSource;
  /** What it is called: `needs a permission`. */
  readonly title: string;
  readonly context: string;
  readonly options: readonly DecisionOption[];
  /** Its own questions; empty when `options` are all there is. */
  readonly parts: readonly QuestionPart[];
  /** The option whose message is any text that is written; absent when text is no answer. */
  readonly text_means?: string;
  /** The option that is no answer without a message. */
  readonly needs_text?: string;
  readonly takes_text: boolean;
  readonly created_at: string;
  readonly waits_until?: string;
  /** Goes back with the answer, which counts for this call only. */
  readonly call_digest?: string;
  /** The input of the call, where the answer may change it. */
  readonly tool_input?: Readonly<Record<string, unknown>>;
  /** What a run of the fleet was given to do. */
  readonly task?: string;
  /** The machine on which a run of the fleet was parked. No process waits: a worker goes on with the answer. */
  readonly parked_on?: string;
  /** Why it can't be answered here. */
  readonly elsewhere?: string;
  readonly state: "open" | "resolved" | "superseded" | "dismissed";
  /** How it ended, in one sentence. */
  readonly outcome?: string;
  readonly ended_at?: string;
  /** What became of the answer, as far as anybody knows. */
  readonly fate?: AnswerFate;
}

export interface AnswerReply {
  readonly receipt: Receipt;
}

export type Ability = "answer" | "control" | "change_hooks" | "replay";

export interface Access {
  readonly may: readonly Ability[];
  /** What they have logged in with at a team's monitor. */
  readonly token?: Pick<TeamToken, "role" | "name">;
}

/** What the first look shows, and every later one. */
export interface Overview extends Access {
  readonly machine: string;
  readonly version: string;
  readonly time: string;
  /** Those that need a human first. */
  readonly agents: readonly AgentView[];
  /** The oldest first. */
  readonly open: readonly QuestionView[];
  /** Why what hooks report can't be stored at the moment. */
  readonly problem?: string;
}

/** A time in which an agent was in one state. Times are milliseconds since 1970. */
export interface Band {
  readonly state: AgentState;
  readonly from: number;
  readonly to: number;
  readonly source: StateSource;
}

export interface Bands {
  readonly from: number;
  readonly to: number;
  readonly agents: readonly { readonly id: string; readonly name: string; readonly bands: readonly Band[] }[];
}

export interface CallPage {
  readonly calls: readonly CallRow[];
  /** What `before` asks for the next page with; absent on the last. */
  readonly next?: string;
}

export interface CallDetail {
  readonly row: CallRow;
  readonly record: JournalRecord;
}

export interface TurnView {
  readonly number: number;
  readonly started: string;
  readonly prompt?: string;
  readonly tokens?: number;
  readonly cost_usd?: number;
}

export interface SessionView {
  readonly id: string;
  readonly agent?: AgentView;
  /** The newest first. */
  readonly turns: readonly TurnView[];
  readonly numbers: { readonly calls: number; readonly stopped: number; readonly asked: number };
  readonly open: readonly QuestionView[];
}

export interface CostView {
  readonly day: string;
  readonly tokens: number;
  readonly cost_usd?: number;
}

export interface ActivityView {
  /** From the beginning of an hour. */
  readonly since: string;
  readonly until: string;
  readonly projects: readonly string[];
  readonly totals: {
    readonly decisions: number;
    readonly stopped: number;
    readonly asked: number;
    readonly sessions: number;
    readonly runs: number;
    readonly failures: number;
    /** Absent when no hook ran. */
    readonly pace?: Pace;
  };
  readonly hours: readonly HourFigures[];
  readonly groups: readonly GroupFigures[];
  readonly costs: readonly CostView[];
}

/** A hook that ran in the last week, and what it did. */
export interface RanHook {
  readonly name: string;
  readonly runs: number;
  readonly denials: number;
  readonly asks: number;
  readonly keep_goings: number;
  readonly woulds: number;
  readonly failures: number;
  readonly mean_ms: number;
}

/** A hook as the configuration of a project has it. */
export interface HookView extends RanHook {
  readonly type: string;
  readonly events: readonly string[];
  readonly scope: string;
  readonly file?: string;
  readonly line?: number;
  readonly pack?: string;
  readonly description?: string;
  readonly enabled: boolean;
  readonly trusted: boolean;
  readonly mode: string;
  readonly problem?: string;
}

export interface HooksView {
  readonly project: string;
  /** Whether the project is guarded, in a sentence. */
  readonly guard: string;
  readonly projects: readonly string[];
  readonly hooks: readonly HookView[];
  /** What ran besides: our own guards, and hooks that the configuration no longer has. */
  readonly others: readonly RanHook[];
}

export interface HookSource {
  readonly project: string;
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly text: string;
  /** Of the whole file: a save is refused when it has changed meanwhile. */
  readonly digest: string;
  /** Why it can't be changed here. */
  readonly locked?: string;
}

export interface HookEdit {
  readonly project: string;
  /** Absent for a new one. */
  readonly name?: string;
  readonly digest: string;
  readonly text: string;
}

export interface ProveView {
  readonly agents: readonly {
    readonly title: string;
    readonly version: string;
    readonly scenarios: readonly {
      readonly name: string;
      readonly result: "obeyed" | "degraded" | "ignored" | "not_reached";
      readonly why?: string;
      readonly way_out?: string;
    }[];
  }[];
}

export type ReportContent =
  | { readonly view: "replay"; readonly found: ReplayView }
  | { readonly view: "prove"; readonly found: ProveView };

/** The dashboard as a file that needs no server: one view, as it was when the file was made. */
export type Report = ReportContent & { readonly made_at: string; readonly version: string };

export interface Failure {
  readonly error: { readonly code: string; readonly message: string; readonly hint?: string };
}
