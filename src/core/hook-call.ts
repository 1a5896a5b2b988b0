import type { AnyEvent } from "./event-types.ts";
import { type FireScope, valuesOf } from "./fire-scope.ts";
import type { AgentView, HookContext } from "./hook-context.ts";
import type { RunEvent } from "./observers.ts";
import type { RegisteredHook } from "./registered-hook.ts";

type WithoutBase<T> = T extends RunEvent
  ? Omit<T, "run_id" | "hook" | "hook_event_name" | "event_id" | "session_id">
  : never;

/** One run of one hook: what the hook is given, and the way to end it. */
export class HookCall implements HookContext {
  private readonly scope: FireScope;
  private readonly hook: RegisteredHook;
  private readonly event: AnyEvent;
  private readonly number: number;
  private controller: AbortController | undefined;
  private over = false;

  constructor(scope: FireScope, hook: RegisteredHook, event: AnyEvent) {
    this.scope = scope;
    this.hook = hook;
    this.event = event;
    this.number = scope.runs;
    scope.runs += 1;
  }

  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.over) this.controller.abort(new Error("This run of the hook is over."));
      else if (this.scope.options.signal?.aborted === true)
        this.controller.abort(this.scope.options.signal.reason);
    }
    return this.controller.signal;
  }

  get values(): Map<string, unknown> {
    return valuesOf(this.scope);
  }

  get agent(): AgentView | undefined {
    return this.scope.options.agent;
  }

  get tool(): unknown {
    return this.scope.options.tool;
  }

  /** A function that needs no `this`, so that hooks can take it out of the context. */
  get output(): HookContext["output"] {
    return (text, stream = "stdout") => {
      if (!this.over) this.tell({ type: "output", stream, text });
    };
  }

  /** Ends the hook from outside: its signal is aborted and what it still says is not heard. */
  end(reason: Error): void {
    this.over = true;
    this.controller?.abort(reason);
  }

  /** The hook has answered. */
  close(): void {
    this.over = true;
  }

  tell(event: WithoutBase<RunEvent>): void {
    if (this.scope.observers.silent) return;
    this.scope.observers.tell({
      run_id: `${this.scope.event_id}.${this.number}`,
      hook: this.hook.hook.name,
      hook_event_name: this.event.hook_event_name,
      event_id: this.scope.event_id,
      session_id: this.event.session_id,
      ...event,
    });
  }
}
