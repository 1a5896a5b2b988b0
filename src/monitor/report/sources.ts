import type { DecisionOption, PromptType } from "../../core/contracts/questions.ts";
import type { AgentSource, DecisionSource } from "../../shared/monitor/decisions.ts";
import type { AgentStatus } from "../../shared/monitor/monitor.ts";
import type { ActionName } from "../../shared/monitor/triggers.ts";

/** What the monitor does when a human chooses an option. */
interface Does {
  readonly action: ActionName;
  /** What the agent reads when the human gives no message. */
  readonly message?: string;
}

/** What travels to the hook that waits: yes, no, or a no whose message says what to change. */
type Travels = "allow" | "refuse" | "revise";

interface SourceOption extends DecisionOption {
  readonly does: Does | Travels;
}

interface SourceRow {
  /** How it is called for people: "claude asks a question". */
  readonly title: string;
  /** Empty where the question has options of its own, or takes any text. */
  readonly options: readonly SourceOption[];
  /** The option that is meant by any other text, which is its message. */
  readonly text?: string;
}

const cancel: SourceOption = {
  label: "cancel",
  description: "Its work failed.",
  does: { action: "fail" },
};

/**
 * The questions of agents, and the answers that people choose from everywhere. An answer that `default` may give has its word
 * in `DECISION_SETTINGS`. The dashboard sends a call that somebody has edited with the option `allow` alone.
 */
export const SOURCES: Readonly<Record<DecisionSource, SourceRow>> = {
  question: { title: "asks a question", options: [] },
  plan: {
    title: "has a plan to approve",
    text: "revise",
    options: [
      { label: "accept", description: "It carries out the plan.", recommended: true, does: "allow" },
      { label: "revise", description: "It changes the plan as your message says.", does: "revise" },
      { label: "cancel", description: "It drops the plan.", does: "refuse" },
    ],
  },
  permission: {
    title: "needs a permission",
    text: "deny",
    options: [
      { label: "allow", description: "This call runs.", does: "allow" },
      { label: "deny", description: "It does not run; your message says why.", does: "refuse" },
    ],
  },
  check: {
    title: "did not pass a check",
    options: [
      { label: "retry", description: "The command runs again.", does: { action: "check" } },
      { label: "skip", description: "Its work is done.", does: { action: "done" } },
      cancel,
    ],
  },
  error: {
    title: "ended with an error",
    options: [
      {
        label: "retry",
        description: "It tries again, or does what your message says.",
        recommended: true,
        does: { action: "nudge", message: "Your last turn ended with an error. Try again." },
      },
      {
        label: "skip",
        description: "It skips what failed and continues.",
        does: {
          action: "nudge",
          message: "Your last turn ended with an error. Leave out what failed and go on with the rest.",
        },
      },
      cancel,
    ],
  },
  dead: {
    title: "has ended",
    options: [
      {
        label: "resume",
        description: "Its session continues in a new process; your message is its prompt.",
        recommended: true,
        does: { action: "resume", message: "Your process ended. Go on where you stopped." },
      },
      { label: "done", description: "Its work is done.", does: { action: "done" } },
      cancel,
    ],
  },
  idle: {
    title: "does nothing",
    text: "continue",
    options: [
      {
        label: "continue",
        description: "It continues; your message, or any other text, says with what.",
        does: { action: "nudge", message: "Go on." },
      },
      { label: "done", description: "Its work is done.", does: { action: "done" } },
      cancel,
    ],
  },
  session: {
    title: "wants to act in your name",
    options: [
      {
        label: "yes",
        description: "It is yours. It may act in your name until it is closed.",
        does: "allow",
      },
      { label: "no", description: "It is not yours.", does: "refuse" },
    ],
  },
};

/** The source of the decision that a prompt asks for; an idle agent needs nobody by itself. */
export const SOURCE_OF_PROMPT: Readonly<Record<PromptType, AgentSource | undefined>> = {
  question: "question",
  other: "question",
  plan_approval: "plan",
  permission: "permission",
  idle: undefined,
};

/** Agents whose session can be continued without a terminal: those whose integration has `resume`, and our own. */
export const RESUMED_HOSTS: ReadonlySet<string> = new Set(["claude", "codex", "gemini", "tenterhook"]);

type Reached = Partial<Pick<AgentStatus, "session_id" | "host" | "state">>;

/** True when a message can get to an agent: to a session that goes on, or one that can be continued. */
export function isReached({ session_id, host = "", state }: Reached): boolean {
  if (session_id === undefined) return false;
  return (state !== "exited" && state !== "gone") || RESUMED_HOSTS.has(host);
}

/** The options of a source as a decision shows them. What needs a message to the agent is left out where none gets there. */
export function optionsFor(source: DecisionSource, agent: Reached): readonly DecisionOption[] {
  return SOURCES[source].options.flatMap(({ does, ...option }) =>
    typeof does === "string" || does.message === undefined || isReached(agent) ? [option] : [],
  );
}

export function doesFor(source: DecisionSource, label: string): SourceOption["does"] | undefined {
  return SOURCES[source].options.find((option) => option.label === label)?.does;
}

/** The first option that means this: `allow` and `refuse` are what a plain yes and no mean. */
export function labelFor(source: DecisionSource, does: Travels): string | undefined {
  return SOURCES[source].options.find((option) => option.does === does)?.label;
}
