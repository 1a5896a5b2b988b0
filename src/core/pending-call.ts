import type { HookFailure } from "./decision.ts";
import { onCancel } from "./fire-scope.ts";
import type { HookCall } from "./hook-call.ts";
import { HookFailureError } from "./hook-failure-error.ts";
import { SAID_NOTHING, type Said, saidFailure } from "./said.ts";

/** How long a hook that was ended may take to end what it started. */
const TIDY_MILLISECONDS = 2000;

/** The failure of a hook whose run was cancelled. */
export const CANCELLED: HookFailure = { kind: "cancelled", message: "The run was cancelled." };

/** Over in a moment, at a fraction of what `queueMicrotask` costs. */
export const MOMENT = Promise.resolve();

/** What a hook's answer, or what it threw, comes to. Must not throw. */
export interface Hearing {
  answered(value: unknown, call: HookCall): Said;
  threw(error: unknown, call: HookCall): Said;
}

/**
 * A run that has to be waited for: until the hook answers, its deadline, or the end of the run, whichever comes first.
 * Most async hooks have answered a moment later, so what costs more than they do (a promise, the deadline, a listener)
 * is made only for the others.
 */
export class PendingCall {
  readonly call: HookCall;
  private answered = false;
  private stopped: HookFailure | undefined = undefined;
  private resolve: ((call: HookCall) => void) | undefined = undefined;
  private cancelTimer: (() => void) | undefined = undefined;
  private forget: (() => void) | undefined = undefined;

  constructor(call: HookCall, promise: PromiseLike<unknown>, hearing: Hearing) {
    this.call = call;
    try {
      promise.then(
        (value) => this.answered || this.finish(hearing.answered(value, call)),
        (error: unknown) => this.answered || this.finish(hearing.threw(error, call)),
      );
    } catch (error) {
      this.finish(hearing.threw(error, call));
    }
  }

  /** The run once it is over. Never rejects. Give it a {@link MOMENT} first; mostly it is over then. */
  settled(): HookCall | Promise<HookCall> {
    if (this.answered) return this.call;
    const { timeoutMs } = this.call.hook;
    return new Promise((resolve) => {
      this.resolve = resolve;
      this.cancelTimer = this.call.scope.ports.clock.after(timeoutMs, () => {
        this.stop({ kind: "timeout", message: `No answer within ${timeoutMs / 1000} s.` });
      });
      this.forget = onCancel(this.call.scope, () => this.stop(CANCELLED));
    });
  }

  private stop(failure: HookFailure): void {
    const { call } = this;
    this.cancelTimer?.();
    this.forget?.();
    this.stopped = failure;
    call.end(new HookFailureError(failure.kind, failure.message));
    if (call.hook.handler.tidies !== true) this.finish(SAID_NOTHING);
    else this.cancelTimer = call.scope.ports.clock.after(TIDY_MILLISECONDS, () => this.finish(SAID_NOTHING));
  }

  private finish(said: Said): void {
    this.answered = true;
    this.cancelTimer?.();
    this.forget?.();
    this.call.settle(this.stopped === undefined ? said : saidFailure(this.stopped));
    this.resolve?.(this.call);
  }
}
