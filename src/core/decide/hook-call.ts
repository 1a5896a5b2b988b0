import { frozenCopy, isRecord } from "../base/json.ts";
import type { KnownEvent } from "../events/known-events.ts";
import type { Outcome } from "../events/outcomes.ts";
import type { AnyEvent } from "../events/payloads.ts";
import type { AgentView, HookContext, RunFacts } from "../ports.ts";
import type { RegisteredHook } from "../registration/registered-hook.ts";
import type { HookFailure } from "./decision.ts";
import type { FiredEvent } from "./fired-event.ts";
import { notify, type RunEvent } from "./observers.ts";
import type { Rewritten } from "./rewrite.ts";

/** What a hook answered, with its rewrite carried out; or how it failed. */
export interface HookAnswer {
  readonly outcomes: readonly Outcome[];
  readonly rewritten: Rewritten | undefined;
  readonly failure: HookFailure | undefined;
}

/** The answer of a hook that returns nothing. */
export const NO_ANSWER: HookAnswer = { outcomes: [], rewritten: undefined, failure: undefined };

/** The event a hook is asked about again, after a rewrite or a choice. It may be another event than the one being decided. */
export interface Recheck {
  readonly event: AnyEvent;
  readonly known: KnownEvent;
  /** True when a human chose one of the hook's options: it is not asked again, it goes on. */
  readonly chosen?: true;
}

/** One run of one hook: what it is asked and what came of it. */
export interface HookCall {
  readonly scope: FiredEvent;
  readonly hook: RegisteredHook;
  readonly event: AnyEvent;
  readonly known: KnownEvent;
  readonly recheck: boolean;
  /** On the monotonic clock. */
  readonly started: number;
  /** Counts the runs of the event. */
  readonly number: number;
  /** Milliseconds, once the hook is done. */
  duration: number;
  answer: HookAnswer;
  /** What the handler reported about the run. */
  facts: RunFacts | undefined;
  /** Created when the hook asks for its signal. */
  controller: AbortController | undefined;
  /** True once the hook has answered or was stopped. */
  over: boolean;
}

type RunEventFields<T> = T extends RunEvent
  ? Omit<T, "run_id" | "hook" | "hook_event_name" | "event_id" | "session_id" | "tool_use_id">
  : never;

/** Notifies observers of a run. */
export function notifyOfRun(
  { scope, event, hook, number }: HookCall,
  fields: RunEventFields<RunEvent>,
): void {
  const { engine, event_id } = scope;
  const { tool_use_id, hook_event_name, session_id } = event;
  notify(engine.observers, {
    run_id: `${event_id}.${number}`,
    hook: hook.hook.name,
    hook_event_name,
    event_id,
    session_id,
    ...(typeof tool_use_id === "string" ? { tool_use_id } : undefined),
    ...fields,
  });
}

/** What a hook gets about its run: nothing through which it could reach the engine. */
export class HookCallContext implements HookContext {
  readonly #call: HookCall;

  constructor(call: HookCall) {
    this.#call = call;
  }

  get signal(): AbortSignal {
    const call = this.#call;
    if (call.controller === undefined) {
      call.controller = new AbortController();
      const { signal } = call.scope.options;
      if (call.over) call.controller.abort(new Error("This run of the hook is over."));
      else if (signal?.aborted === true) call.controller.abort(signal.reason);
    }
    return call.controller.signal;
  }

  get values(): Map<string, unknown> {
    const { options, agent } = this.#call.scope;
    if (options.values !== undefined) return options.values;
    agent.values ??= new Map();
    return agent.values;
  }

  get agent(): AgentView | undefined {
    return frozenCopy(this.#call.scope.options.agent);
  }

  get tool(): unknown {
    const { tool } = this.#call.scope.options;
    // A definition holds functions, so it can't be copied like data.
    return isRecord(tool) ? Object.freeze({ ...tool }) : tool;
  }

  get payload(): string | undefined {
    return this.#call.scope.options.payload;
  }

  get recheck(): true | undefined {
    return this.#call.recheck ? true : undefined;
  }

  /** A function that needs no `this`, so that hooks can take it out of the context. */
  get output(): HookContext["output"] {
    const call = this.#call;
    return (text, stream = "stdout") => {
      if (!call.over) notifyOfRun(call, { type: "output", stream, text });
    };
  }

  get record(): HookContext["record"] {
    const call = this.#call;
    return ({ exit_code, cached, usage, verdict, rule, would }) => {
      call.facts = {
        ...call.facts,
        ...(exit_code === undefined ? {} : { exit_code }),
        ...(cached === undefined ? {} : { cached }),
        ...(usage === undefined ? {} : { usage }),
        ...(verdict === undefined ? {} : { verdict }),
        ...(rule === undefined ? {} : { rule }),
        ...(would === undefined ? {} : { would }),
      };
    };
  }
}
