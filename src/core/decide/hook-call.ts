import { frozenCopy, isRecord } from "../base/json.ts";
import type { KnownEvent } from "../events/known-events.ts";
import type { AnyEvent } from "../events/payloads.ts";
import type { AgentView, HookContext, RunFacts } from "../ports.ts";
import type { RegisteredHook } from "../registration/registered-hook.ts";
import { type FireScope, readClock, valuesOf } from "./event-scope.ts";
import type { RunEvent } from "./observers.ts";
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

/**
 * One run of one hook: what it is asked and what came of it. A plain literal, as everything that is made anew for each
 * event: V8 throws away the code it compiled for a class when a collection finds no object of it, as between two events,
 * and keeps that for a literal.
 */
export interface HookCall {
  readonly asked: Asked;
  readonly hook: RegisteredHook;
  /** On the monotonic clock. */
  readonly started: number;
  /** Counts the runs of the event. */
  readonly number: number;
  /** Milliseconds, once the hook is done. */
  duration: number;
  /** What has to be waited for, when the hook did not answer at once. */
  answer: PromiseLike<unknown> | undefined;
  /** What came of it, once the hook is done. */
  said: Said;
  /** What the handler told of the run. */
  facts: RunFacts | undefined;
  /** Made when the hook asks for its signal. */
  controller: AbortController | undefined;
  over: boolean;
}

/** Begins a run. */
export function hookCall(asked: Asked, hook: RegisteredHook): HookCall {
  const { scope } = asked;
  const number = scope.runs;
  scope.runs += 1;
  return {
    asked,
    hook,
    started: scope.reading,
    number,
    duration: 0,
    answer: undefined,
    said: SAID_NOTHING,
    facts: undefined,
    controller: undefined,
    over: false,
  };
}

/** The hook has answered, or will not be heard any more. */
export function settleCall(call: HookCall, said: Said): HookCall {
  call.over = true;
  call.said = said;
  call.duration = readClock(call.asked.scope) - call.started;
  return call;
}

/** Ends a hook from outside: its signal is aborted and what it still says is not heard. */
export function endCall(call: HookCall, reason: Error): void {
  call.over = true;
  call.controller?.abort(reason);
}

/** Tells observers of a run. */
export function tellOfRun(call: HookCall, event: WithoutBase<RunEvent>): void {
  const { scope, event: about } = call.asked;
  const { observers, event_id } = scope;
  if (observers.silent) return;
  const { tool_use_id } = about;
  observers.tell({
    run_id: `${event_id}.${call.number}`,
    hook: call.hook.hook.name,
    hook_event_name: about.hook_event_name,
    event_id,
    session_id: about.session_id,
    ...(typeof tool_use_id === "string" ? { tool_use_id } : undefined),
    ...event,
  });
}

function signalOf(call: HookCall): AbortSignal {
  if (call.controller === undefined) {
    call.controller = new AbortController();
    const { signal } = call.asked.scope.options;
    if (call.over) call.controller.abort(new Error("This run of the hook is over."));
    else if (signal?.aborted === true) call.controller.abort(signal.reason);
  }
  return call.controller.signal;
}

/** What a hook is given of its run: nothing through which it could reach the engine. */
export class HookCallContext implements HookContext {
  /** One that no hook is given. It lives on, and the code compiled for contexts with it: see {@link HookCall}. */
  protected static readonly lasting = new HookCallContext(undefined);
  readonly #given: HookCall | undefined;

  constructor(call: HookCall | undefined) {
    this.#given = call;
  }

  get #call(): HookCall {
    if (this.#given === undefined) throw new Error("This context belongs to no run.");
    return this.#given;
  }

  get signal(): AbortSignal {
    return signalOf(this.#call);
  }

  get values(): Map<string, unknown> {
    return valuesOf(this.#call.asked.scope);
  }

  get agent(): AgentView | undefined {
    return frozenCopy(this.#call.asked.scope.options.agent);
  }

  get tool(): unknown {
    const { tool } = this.#call.asked.scope.options;
    // A definition holds functions, so it can't be copied like data.
    return isRecord(tool) ? Object.freeze({ ...tool }) : tool;
  }

  get recheck(): true | undefined {
    return this.#call.asked.recheck ? true : undefined;
  }

  /** A function that needs no `this`, so that hooks can take it out of the context. */
  get output(): HookContext["output"] {
    const call = this.#call;
    return (text, stream = "stdout") => {
      if (!call.over) tellOfRun(call, { type: "output", stream, text });
    };
  }

  get record(): HookContext["record"] {
    const call = this.#call;
    return ({ exit_code, cached, usage }) => {
      call.facts = {
        ...call.facts,
        ...(exit_code === undefined ? {} : { exit_code }),
        ...(cached === undefined ? {} : { cached }),
        ...(usage === undefined ? {} : { usage }),
      };
    };
  }
}
