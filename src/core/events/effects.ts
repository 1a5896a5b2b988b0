/**
 * Everything a hook can bring about. Each event of the table allows some of it, and has an outcome in `outcomes.ts`.
 *
 * The compiler names most places of a new one. It does not name: what a decision makes of it (`decide/merge.ts`), that decision
 * as an outcome of a composition (`handlers/decision-outcomes.ts`), what carries it out (`src/agent`), and the form in which an
 * agent hears it (`says` and `forms` of its table), without which it is a declared loss.
 */
export const EFFECTS = [
  "allow",
  "ask",
  "deny",
  "rewrite",
  "context",
  "keep_going",
  "answer",
  "time_limit",
  "retry",
  "hook_input",
  "user_message",
  "abort",
  "native",
] as const;

/** One thing a hook can bring about; also the `type` of the outcome that does it. */
export type Effect = (typeof EFFECTS)[number];

/** The verdict on a call: no opinion, yes, ask a human, no. */
export type Action = "continue" | "allow" | "ask" | "deny";

/** What a failing hook means: refuse the call, let it pass, or ask a human. */
export type FailureMode = "closed" | "open" | "ask";

/** The ways a hook can fail. */
export const FAILURE_KINDS = [
  "error",
  "timeout",
  "bad_output",
  "missing",
  "conflict",
  "untrusted",
  "cancelled",
] as const;

/** One way a hook can fail. */
export type FailureKind = (typeof FAILURE_KINDS)[number];
