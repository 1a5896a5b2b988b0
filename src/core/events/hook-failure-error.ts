import type { FailureKind } from "./effects.ts";
import type { Outcome } from "./outcomes.ts";

/** What a failure may carry in addition to its message. */
export interface HookFailureOptions extends ErrorOptions {
  /**
   * What the hook refused all the same (deny, ask, abort, keep going). It counts even where the failure itself lets the
   * call pass. Other outcomes are dropped.
   */
  readonly refusals?: readonly Outcome[];
  /** Everything that the hook returned before it failed. It counts only where the failure itself lets the call pass. */
  readonly outcomes?: readonly Outcome[];
}

const BRAND = Symbol.for("tenterhook.hook-failure");

/** Thrown by a handler to say how it failed; any other exception is a failure of kind `error`. */
export class HookFailureError extends Error {
  readonly kind: FailureKind;
  readonly refusals: readonly Outcome[];
  readonly outcomes: readonly Outcome[];

  constructor(
    kind: FailureKind,
    message: string,
    { refusals = [], outcomes = [], ...options }: HookFailureOptions = {},
  ) {
    super(message, options);
    this.name = "HookFailureError";
    this.kind = kind;
    this.refusals = refusals;
    this.outcomes = outcomes;
    Object.defineProperty(this, BRAND, { value: true });
  }
}

/** True for a {@link HookFailureError}, also one made by another copy of the package. */
export function isHookFailure(value: unknown): value is HookFailureError {
  return typeof value === "object" && value !== null && BRAND in value;
}
