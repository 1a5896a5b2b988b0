/** A promise, and who settles it. */
export interface Deferred<Value> {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
  readonly reject: (reason: unknown) => void;
}

let resolveLast: (value: unknown) => void = () => {};
let rejectLast: (reason: unknown) => void = () => {};

function takeBoth(resolve: (value: unknown) => void, reject: (reason: unknown) => void): void {
  resolveLast = resolve;
  rejectLast = reject;
}

/**
 * A promise that is settled from outside. One function serves all of them: one made anew for each promise would lose the
 * code compiled for it whenever a collection finds none alive.
 */
export function deferred<Value>(): Deferred<Value>;
export function deferred(): Deferred<unknown> {
  const promise = new Promise<unknown>(takeBoth);
  return { promise, resolve: resolveLast, reject: rejectLast };
}
