/** What would be done about an event; `same`: what was done without hooks. */
export type Would = "deny" | "ask" | "rewrite" | "same";

/** How what two configurations decide differs. */
export type Compared = "newly_stopped" | "newly_let_through" | "other_reason";

/** A hook, and which of its rules, behind what would be done. */
export interface Because {
  readonly hook: string;
  readonly rule?: string;
}

/** What a configuration does about a changed call, as reports show it. */
export interface Verdict extends Partial<Because> {
  readonly action: string;
  readonly reason?: string;
}

/** A recorded event about which something else would be decided now. */
export interface ReplayedCall {
  readonly agent: string;
  readonly session: string;
  readonly at?: string;
  readonly tool_name: string;
  readonly tool_input: unknown;
  /** What was decided then, where the record says so. */
  readonly recorded?: { readonly action: string; readonly reason?: string };
  readonly now: Verdict;
  /** What the other configuration decides; only with `--against`. */
  readonly against?: Verdict;
}

/** What a hook or one of its rules would do. */
export interface HookTally extends Because {
  readonly deny: number;
  readonly ask: number;
  readonly rewrite: number;
}

/** What a configuration would have done: what `replay --json --all` prints, and pages show. */
export interface ReplayView {
  readonly sessions: number;
  /** The sessions in which something would be denied. */
  readonly denied_sessions: number;
  readonly agents: readonly string[];
  readonly events: number;
  readonly unreadable: number;
  readonly would: Readonly<Record<Would, number>>;
  readonly by_hook: readonly HookTally[];
  /** The oldest first. */
  readonly changed: readonly ReplayedCall[];
  /** How many more there are than `changed` holds. */
  readonly left_out: number;
  readonly against?: Readonly<Record<Compared, number>>;
  /** The most frequent commands that no hook said anything about. */
  readonly unjudged: readonly { readonly command: string; readonly calls: number }[];
  /** The hooks that were not asked because they start something, each with how many events it would have seen. */
  readonly not_evaluated: readonly { readonly hook: string; readonly events: number }[];
  /** The time of the first and the last event. */
  readonly from?: string;
  readonly until?: string;
}
