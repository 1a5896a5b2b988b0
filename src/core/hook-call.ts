import type { KnownEvent } from "./event-catalogue.ts";
import type { AnyEvent } from "./event-types.ts";
import { type FireScope, readClock, valuesOf } from "./fire-scope.ts";
import type { AgentView, HookContext, RunFacts } from "./hook-context.ts";
import { frozenCopy, isRecord } from "./json.ts";
import type { RunEvent } from "./observers.ts";
import type { RegisteredHook } from "./registered-hook.ts";
import { SAID_NOTHING, type Said } from "./said.ts";

type WithoutBase<T> = T extends RunEvent
  ? Omit<T, "run_id" | "hook" | "hook_event_name" | "event_id" | "session_id" | "tool_use_id">
  : never;

/** What hooks are asked: an event as it is now, and what it allows. The hooks that see the same event share it. */
export interface Asked {
  readonly scope: FireScope;
  readonly event: AnyEvent;
  /** What the event allows; on a recheck it may be another event than the one being decided. */
  readonly known: KnownEvent;
  readonly recheck: boolean;
}

/** One run of one hook: what the hook is given, what came of it, and the way to end it. */
export class HookCall {
  readonly asked: Asked;
  readonly hook: RegisteredHook;
  /** On the monotonic clock. */
  readonly started: number;
  /** Milliseconds, once the hook is done. */
  duration: number;
  /** What came of it, once the hook is done. */
  said: Said;
  /** What the handler told of the run. */
  facts: RunFacts | undefined;
  private readonly number: number;
  private controller: AbortController | undefined;
  private over: boolean;

  constructor(asked: Asked, hook: RegisteredHook) {
    const { scope } = asked;
    this.asked = asked;
    this.hook = hook;
    this.started = scope.reading;
    this.duration = 0;
    this.said = SAID_NOTHING;
    this.facts = undefined;
    this.number = scope.runs;
    this.controller = undefined;
    this.over = false;
    scope.runs += 1;
  }

  get scope(): FireScope {
    return this.asked.scope;
  }

  get event(): AnyEvent {
    return this.asked.event;
  }

  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      const { signal } = this.scope.options;
      if (this.over) this.controller.abort(new Error("This run of the hook is over."));
      else if (signal?.aborted === true) this.controller.abort(signal.reason);
    }
    return this.controller.signal;
  }

  get values(): Map<string, unknown> {
    return valuesOf(this.scope);
  }

  get agent(): AgentView | undefined {
    return frozenCopy(this.scope.options.agent);
  }

  get tool(): unknown {
    const { tool } = this.scope.options;
    // A definition holds functions, so it can't be copied like data.
    return isRecord(tool) ? Object.freeze({ ...tool }) : tool;
  }

  /** A function that needs no `this`, so that hooks can take it out of the context. */
  get output(): HookContext["output"] {
    return (text, stream = "stdout") => {
      if (!this.over) this.tell({ type: "output", stream, text });
    };
  }

  get record(): HookContext["record"] {
    return ({ exit_code, cached, usage }) => {
      this.facts = {
        ...this.facts,
        ...(exit_code === undefined ? {} : { exit_code }),
        ...(cached === undefined ? {} : { cached }),
        ...(usage === undefined ? {} : { usage }),
      };
    };
  }

  /** The hook has answered, or will not be heard any more. */
  settle(said: Said): this {
    this.over = true;
    this.said = said;
    this.duration = readClock(this.scope) - this.started;
    return this;
  }

  /** Ends the hook from outside: its signal is aborted and what it still says is not heard. */
  end(reason: Error): void {
    this.over = true;
    this.controller?.abort(reason);
  }

  /** Tells observers of this run. */
  tell(event: WithoutBase<RunEvent>): void {
    const { observers, event_id } = this.scope;
    if (observers.silent) return;
    const { tool_use_id } = this.event;
    observers.tell({
      run_id: `${event_id}.${this.number}`,
      hook: this.hook.hook.name,
      hook_event_name: this.event.hook_event_name,
      event_id,
      session_id: this.event.session_id,
      ...(typeof tool_use_id === "string" ? { tool_use_id } : undefined),
      ...event,
    });
  }
}

/** What a hook is given of its run: nothing through which it could reach the engine. */
export class HookCallContext implements HookContext {
  readonly #call: HookCall;

  constructor(call: HookCall) {
    this.#call = call;
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }

  get values(): Map<string, unknown> {
    return this.#call.values;
  }

  get agent(): AgentView | undefined {
    return this.#call.agent;
  }

  get tool(): unknown {
    return this.#call.tool;
  }

  get recheck(): true | undefined {
    return this.#call.asked.recheck ? true : undefined;
  }

  get output(): HookContext["output"] {
    return this.#call.output;
  }

  get record(): HookContext["record"] {
    return this.#call.record;
  }
}
