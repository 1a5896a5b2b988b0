import type { DecisionOption, DecisionSource, PromptType } from "../../core/contracts/monitor.ts";

/** What is known about the decisions of a source. */
interface SourceRow {
  /** How it is called for people: "claude asks a question". */
  readonly title: string;
  /** Empty where the question has options of its own, or takes any text. */
  readonly options: readonly DecisionOption[];
}

/** The one table of sources. */
export const SOURCES: Readonly<Record<DecisionSource, SourceRow>> = {
  question: { title: "asks a question", options: [] },
  plan: {
    title: "has a plan to approve",
    options: [
      { label: "accept", description: "It carries out the plan.", recommended: true },
      { label: "revise", description: "It changes the plan as your message says." },
      { label: "cancel", description: "It drops the plan." },
    ],
  },
  permission: {
    title: "needs a permission",
    options: [
      { label: "allow", description: "This call runs." },
      { label: "deny", description: "It does not run; your message says why." },
    ],
  },
};

/** The source of the decision that a prompt asks for; an idle agent needs nobody by itself. */
export const SOURCE_OF_PROMPT: Readonly<Record<PromptType, DecisionSource | undefined>> = {
  question: "question",
  other: "question",
  plan_approval: "plan",
  permission: "permission",
  idle: undefined,
};
