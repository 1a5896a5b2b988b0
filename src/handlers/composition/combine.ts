import { isRecord } from "../../core/base/json.ts";
import { refuses } from "../../core/decide/read-answer.ts";
import type { FailureKind } from "../../core/events/effects.ts";
import { HookFailureError } from "../../core/events/hook-failure-error.ts";
import { type Outcome, userMessage } from "../../core/events/outcomes.ts";
import type { PartAnswer } from "./part.ts";

export interface Combination {
  /** True when the remaining parts need not be asked. */
  isEnough(answer: PartAnswer): boolean;
  /** True when later parts see the event as this part rewrote it. */
  passesOn(answer: PartAnswer): boolean;
  /**
   * What the whole says. Of several failures it has the one that is taken most strictly.
   *
   * @throws HookFailureError when the whole failed, with what was refused all the same.
   */
  combine(answers: readonly PartAnswer[], strictness: Strictness): readonly Outcome[];
}

/** How strictly the hook treats a kind of failure; higher is stricter. */
export type Strictness = (kind: FailureKind) => number;

/** Orders failures by `on_failure`, so that an open failure never hides a closed one. */
export function strictnessOf(policy: unknown): Strictness {
  const modes: readonly unknown[] = ["open", "ask"];
  return (kind) => {
    const mode: unknown = isRecord(policy) ? (policy[kind] ?? policy.default) : policy;
    return modes.includes(mode) ? modes.indexOf(mode) : modes.length;
  };
}

/** Outcomes that are no opinion about the event. */
const REMARKS: readonly Outcome["type"][] = ["context", "user_message"];

/** The refusals that `any` weighs. An abort is not among them: it always ends the run. */
const OBJECTIONS: readonly Outcome["type"][] = ["deny", "keep_going"];

export const COMBINATIONS = {
  all: {
    isEnough: aborts,
    passesOn: () => true,
    combine: everything,
  },
  any: {
    isEnough: aborts,
    passesOn: (answer) => !objects(answer),
    combine: anyPassing,
  },
  first: {
    isEnough: ({ outcomes }) => outcomes.some(({ type }) => !REMARKS.includes(type)),
    passesOn: () => true,
    combine: everything,
  },
} as const satisfies Record<string, Combination>;

/** All outcomes in order. When one part fails, the whole fails and keeps what the others refuse. */
function everything(answers: readonly PartAnswer[], strictness: Strictness): readonly Outcome[] {
  const [failed] = answers
    .flatMap(({ failure }) => failure ?? [])
    .sort((a, b) => strictness(b.kind) - strictness(a.kind));
  if (failed === undefined) return merged(answers);
  throw withRefusals(failed, answers);
}

/** An objection counts only when every part objects. A part that failed does not pass. */
function anyPassing(answers: readonly PartAnswer[], strictness: Strictness): readonly Outcome[] {
  const passing = answers.filter((answer) => answer.failure === undefined && !objects(answer));
  if (passing.length === 0) return everything(answers, strictness);
  return merged(answers.map((answer) => (passing.includes(answer) ? answer : withoutObjection(answer))));
}

/** The other outcomes of a part that objected or failed, without its rewrite. */
function withoutObjection({ outcomes, event, failure }: PartAnswer): PartAnswer {
  const rest = outcomes.filter(({ type }) => !OBJECTIONS.includes(type) && type !== "rewrite");
  if (failure === undefined) return { outcomes: rest, event };
  const notice = userMessage(
    `A part failed (${failure.kind}), another one passed it: ${failure.message}`,
    "warning",
  );
  const refusals = failure.refusals.filter((one) => refuses(one) && !OBJECTIONS.includes(one.type));
  return { outcomes: [...refusals, notice], event };
}

/** A part that rewrites the input cancels earlier allows, which were about the old input. */
function merged(answers: readonly PartAnswer[]): readonly Outcome[] {
  let outcomes: readonly Outcome[] = [];
  for (const answer of answers) {
    const rewrites = answer.outcomes.some(({ type }) => type === "rewrite");
    const before = rewrites ? outcomes.filter(({ type }) => type !== "allow") : outcomes;
    outcomes = [...before, ...answer.outcomes];
  }
  return outcomes;
}

function withRefusals(failed: HookFailureError, answers: readonly PartAnswer[]): HookFailureError {
  const refusals = answers.flatMap(({ outcomes, failure }) => [...outcomes, ...(failure?.refusals ?? [])]);
  return new HookFailureError(failed.kind, failed.message, {
    refusals: refusals.filter(refuses),
    cause: failed,
  });
}

function aborts({ outcomes }: PartAnswer): boolean {
  return outcomes.some(({ type }) => type === "abort");
}

function objects({ outcomes }: PartAnswer): boolean {
  return outcomes.some(({ type }) => OBJECTIONS.includes(type));
}
