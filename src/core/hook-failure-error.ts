import type { FailureKind } from "./effects.ts";

/** Thrown by a handler to say how it failed; any other exception is a failure of kind `error`. */
export class HookFailureError extends Error {
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "HookFailureError";
    this.kind = kind;
  }
}
