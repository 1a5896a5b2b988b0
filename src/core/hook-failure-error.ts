import type { FailureKind } from "./effects.ts";
import type { Outcome } from "./outcomes.ts";

/** What a failure may say beside its message. */
export interface HookFailureOptions extends ErrorOptions {
  /**
   * What the hook refused all the same (deny, ask, abort, keep going): it counts, also where the failure itself is let pass.
   * Anything else in it is dropped.
   */
  readonly refusals?: readonly Outcome[];
}

/** Thrown by a handler to say how it failed; any other exception is a failure of kind `error`. */
export class HookFailureError extends Error {
  readonly kind: FailureKind;
  readonly refusals: readonly Outcome[];

  constructor(kind: FailureKind, message: string, { refusals, ...options }: HookFailureOptions = {}) {
    super(message, options);
    this.name = "HookFailureError";
    this.kind = kind;
    this.refusals = refusals ?? [];
  }
}
