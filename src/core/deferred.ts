/** A promise, and who settles it. */
export interface Deferred {
  readonly promise: Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

let resolveLast: Deferred["resolve"] = () => {};
let rejectLast: Deferred["reject"] = () => {};

function takeBoth(resolve: Deferred["resolve"], reject: Deferred["reject"]): void {
  resolveLast = resolve;
  rejectLast = reject;
}

/**
 * A promise that is settled from outside. One function serves all of them: one made anew for each promise would lose the
 * code compiled for it whenever a collection finds none alive.
 */
export function deferred(): Deferred {
  const promise = new Promise<unknown>(takeBoth);
  return { promise, resolve: resolveLast, reject: rejectLast };
}
