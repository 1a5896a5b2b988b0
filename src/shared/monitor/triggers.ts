/** What the monitor can do by itself. */
export const ACTIONS = ["escalate", "nudge", "resume", "check", "answer", "done", "fail", "auto"] as const;
export type ActionName = (typeof ACTIONS)[number];

/** Words that configurations had earlier, and what they are called now. */
export const RENAMED: Readonly<Record<string, ActionName>> = { gate: "check" };

/** Actions that a trigger repeats. The others settle its agent's present state. */
export const REPEATED: readonly ActionName[] = ["nudge", "resume", "auto"];

/** When the monitor acts by itself. */
export const TRIGGERS = ["on_prompt", "on_idle", "on_dead", "on_error", "on_stop"] as const;
export type TriggerName = (typeof TRIGGERS)[number];

const NO_QUESTION = "nobody asks anything, so there is nothing to answer";

/** The one table of triggers and actions: an action that makes no sense has the reason. */
export const VALIDITY: Readonly<Record<TriggerName, Readonly<Record<ActionName, true | string>>>> = {
  on_prompt: {
    escalate: true,
    nudge: "the agent waits for an answer and would not read another message; use answer",
    resume: "the agent is still running and waits for an answer; use answer",
    check: "an exit code answers no question; use answer, or a command hook on AgentPrompt",
    answer: true,
    done: "an agent that asks something is not done",
    fail: true,
    auto: "an agent that asks something has already reported what it needs; use answer or escalate",
  },
  on_idle: {
    escalate: true,
    nudge: true,
    resume: "the agent is still running, and a session must not run twice; use nudge",
    check: true,
    answer: NO_QUESTION,
    done: true,
    fail: true,
    auto: true,
  },
  on_dead: {
    escalate: true,
    nudge: "there is nobody to read the message; use resume",
    resume: true,
    check: true,
    answer: NO_QUESTION,
    done: true,
    fail: true,
    auto: "there is nobody to report how far it got; use resume or escalate",
  },
  on_error: {
    escalate: true,
    nudge: true,
    resume: true,
    check: true,
    answer: NO_QUESTION,
    done: "an agent that ended with an error is not done; use fail, or check",
    fail: true,
    auto: "an agent that ended with an error can't report how far it got; use nudge or resume",
  },
  on_stop: {
    escalate: true,
    nudge: true,
    resume: "the agent is still running; use nudge",
    check: true,
    answer: NO_QUESTION,
    done: true,
    fail: "every turn ends with a stop, so every turn would be a failure; use check",
    auto: true,
  },
};

export function actionsFor(trigger: TriggerName): readonly ActionName[] {
  return ACTIONS.filter((action) => VALIDITY[trigger][action] === true);
}

/** The kinds of errors that agents fail with. */
export const ERROR_TYPES = [
  "unauthorized",
  "out_of_credits",
  "rate_limited",
  "no_internet",
  "other",
] as const;
export type ErrorType = (typeof ERROR_TYPES)[number];
