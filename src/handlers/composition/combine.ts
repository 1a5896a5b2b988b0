import { isRecord } from "../../core/base/json.ts";
import { refuses } from "../../core/decide/outcomes.ts";
import type { FailureKind } from "../../core/events/effects.ts";
import { HookFailureError } from "../../core/events/hook-failure-error.ts";
import { type Outcome, userMessage } from "../../core/events/outcomes.ts";
import type { PartAnswer } from "./part.ts";

/** A way to make one answer of several. */
export interface Combination {
  /** True when nobody after this one is to be asked. */
  isEnough(answer: PartAnswer): boolean;
  /** True when later parts see the event as this one left it. */
  passesOn(answer: PartAnswer): boolean;
  /**
   * What the whole says. Of several failures it has the one that is taken most strictly.
   *
   * @throws HookFailureError when the whole failed, with what was refused all the same.
   */
  combine(answers: readonly PartAnswer[], strictness: Strictness): readonly Outcome[];
}

/** How strictly the hook takes a kind of failure; the higher, the more. */
export type Strictness = (kind: FailureKind) => number;

/** Which failure of several a hook with this `on_failure` has: none that is let through may hide one that is not. */
export function strictnessOf(policy: unknown): Strictness {
  const modes: readonly unknown[] = ["open", "ask"];
  return (kind) => {
    const mode: unknown = isRecord(policy) ? (policy[kind] ?? policy.default) : policy;
    return modes.includes(mode) ? modes.indexOf(mode) : modes.length;
  };
}

/** What is no opinion about the event: it travels along. */
const REMARKS: readonly Outcome["type"][] = ["context", "user_message"];

/** The ways to refuse that `any` weighs: an abort is none, it ends the run whatever others say. */
const OBJECTIONS: readonly Outcome["type"][] = ["deny", "keep_going"];

/** The compositions by their type. */
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

/** All that was said, in order. A failure of one is a failure of the whole, which keeps what the others refuse. */
function everything(answers: readonly PartAnswer[], strictness: Strictness): readonly Outcome[] {
  const [failed] = answers
    .flatMap(({ failure }) => failure ?? [])
    .sort((a, b) => strictness(b.kind) - strictness(a.kind));
  if (failed === undefined) return merged(answers);
  throw withRefusals(failed, answers);
}

/** An objection counts only when every part objects. A part that failed has not passed anything. */
function anyPassing(answers: readonly PartAnswer[], strictness: Strictness): readonly Outcome[] {
  const passing = answers.filter((answer) => answer.failure === undefined && !objects(answer));
  if (passing.length === 0) return everything(answers, strictness);
  return merged(answers.map((answer) => (passing.includes(answer) ? answer : withoutObjection(answer))));
}

/** What else a part said that objected or failed; its rewrite went with its objection. */
function withoutObjection({ outcomes, event, failure }: PartAnswer): PartAnswer {
  const rest = outcomes.filter(({ type }) => !OBJECTIONS.includes(type) && type !== "rewrite");
  if (failure === undefined) return { outcomes: rest, event };
  const told = userMessage(
    `A part failed (${failure.kind}), another one passed it: ${failure.message}`,
    "warning",
  );
  const kept = failure.refusals.filter((one) => refuses(one) && !OBJECTIONS.includes(one.type));
  return { outcomes: [...kept, told], event };
}

/** An allow is for the input it was given to: a later part that changes it takes the allow away. */
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
