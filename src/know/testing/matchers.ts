import { isRecord } from "../../core/base/json.ts";
import type { Decision } from "../../core/decide/decision.ts";
import { EVENTS } from "../../core/events/event-table.ts";
import { askedHooks } from "../cases/actual.ts";
import { type Difference, unlike } from "../cases/compare.ts";
import { differenceText, tookPart } from "../cases/result-text.ts";
import { isSettled } from "../cases/run-case.ts";

/** A text that must be equal, or a pattern that it must fit. */
export type ExpectedText = string | RegExp;

/** What a matcher tells Vitest or Jest. */
export interface MatcherResult {
  readonly pass: boolean;
  message(): string;
}

/** What Vitest and Jest tell a matcher. */
export interface MatcherState {
  /** True after `.not`. */
  readonly isNot?: boolean;
}

/**
 * The matchers as `expect` has them, for the types of your test runner.
 *
 * @example
 * declare module "vitest" {
 *   interface Matchers<T> extends HookMatchers<T> {}
 * }
 */
export interface HookMatchers<Result = unknown> {
  /** The hooks refuse, for this reason if one is given. */
  toDeny(reason?: ExpectedText): Result;
  /** The hooks want a human asked, for this reason if one is given. */
  toAsk(reason?: ExpectedText): Result;
  /** The hooks neither refuse nor ask nor approve. What they add or change does not matter. */
  toContinue(): Result;
  /**
   * The hooks rewrite what the event is about (the input of a call, its output, a prompt …) and do not refuse it. Keys that
   * are not named are not compared. For several parts, such as messages and a system prompt, an object with both.
   */
  toRewriteTo(value: unknown): Result;
}

/** The fields of decisions that hold what was rewritten. */
const REWRITTEN = new Set(
  Object.values(EVENTS).flatMap((row) => ("rewrites" in row ? Object.values<string>(row.rewrites) : [])),
);

/**
 * Matchers for decisions, for `expect.extend` of Vitest and Jest. As long as a hook that was not asked could change the
 * answer, they fail, with and without `.not`.
 *
 * @example
 * expect.extend(hookMatchers);
 * expect(await hooks.bash("git push --force")).toDeny(/force-with-lease/);
 */
export const hookMatchers = {
  toDeny(this: MatcherState, received: unknown, reason?: ExpectedText): MatcherResult {
    return compared(this, received, "toDeny", (decision) => action(decision, "deny", reason));
  },
  toAsk(this: MatcherState, received: unknown, reason?: ExpectedText): MatcherResult {
    return compared(this, received, "toAsk", (decision) => action(decision, "ask", reason));
  },
  toContinue(this: MatcherState, received: unknown): MatcherResult {
    return compared(this, received, "toContinue", (decision) => action(decision, "continue"));
  },
  toRewriteTo(this: MatcherState, received: unknown, value: unknown): MatcherResult {
    return compared(this, received, "toRewriteTo", (decision) => {
      if (decision.action === "deny") return [{ key: "action", expected: "no refusal", actual: "deny" }];
      const parts = Object.entries(decision).filter(
        ([key, part]) => REWRITTEN.has(key) && part !== undefined,
      );
      const [first] = parts;
      return parts.length > 1
        ? unlike("rewritten", value, Object.fromEntries(parts))
        : unlike(first?.[0] ?? "rewritten", value, first?.[1]);
    });
  },
};

function action(decision: Decision, expected: string, reason?: ExpectedText): readonly Difference[] {
  return [
    ...unlike("action", expected, decision.action),
    ...(reason === undefined ? [] : unlike("reason", reason, decision.reason)),
  ];
}

function compared(
  { isNot = false }: MatcherState,
  received: unknown,
  name: keyof typeof hookMatchers,
  compare: (decision: Decision) => readonly Difference[],
): MatcherResult {
  if (!isDecision(received))
    throw new TypeError(`${name} takes a decision of hooks. Is an \`await\` missing?`);
  const { not_evaluated = [] } = received;
  // The matchers take what `hooks.fire` gives, too.
  const tried = { decision: received, not_evaluated };
  const wrong = compare(received);
  const settled = isSettled(tried, wrong);
  const said = wrong.length > 0 ? wrong.map(differenceText) : [`The hooks decided ${received.action}.`];
  return {
    pass: settled ? wrong.length === 0 : isNot,
    message: () =>
      [
        `expect(decision)${isNot ? ".not" : ""}.${name}`,
        ...(settled
          ? said
          : [
              `${not_evaluated.join(", ")} was not asked and could decide otherwise: give it a stub, or \`run: true\`.`,
            ]),
        tookPart(askedHooks(tried)),
      ].join("\n"),
  };
}

function isDecision(value: unknown): value is Decision & { readonly not_evaluated?: readonly string[] } {
  return isRecord(value) && typeof value.action === "string" && Array.isArray(value.runs);
}
