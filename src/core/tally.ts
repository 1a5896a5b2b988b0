import type { BoundedContext } from "./bounded.ts";
import type { ContextItem, Decision, HookFailure, HookInput, HookRun, UserMessage } from "./decision.ts";
import { effectAllowed } from "./event-catalogue.ts";
import type { AnyEvent } from "./event-types.ts";
import type { FireScope } from "./fire-scope.ts";
import type { HookCall } from "./hook-call.ts";
import { failureMode, type RegisteredHook } from "./registered-hook.ts";
import { subjectOf } from "./rewrite.ts";
import { mergeVerdicts, type Verdict } from "./verdicts.ts";

/** A hook that failed, for the Error event. */
export interface RaisedFailure {
  readonly hook: RegisteredHook;
  readonly failure: HookFailure;
}

/** Why the run must end. */
export type Abort = NonNullable<Decision["abort"]>;

/** Collects what the hooks of one event say, in hook order, and makes the decision of it. Nothing a hook says is lost. */
export class Tally {
  readonly runs: HookRun[] = [];
  readonly failures: RaisedFailure[] = [];
  readonly context: ContextItem[] = [];
  readonly userMessages: UserMessage[] = [];
  hookInputs: HookInput[] = [];
  keepGoing: string[] = [];
  answer: { readonly value: unknown } | undefined = undefined;
  retry: Decision["retry"] = undefined;
  abort: Abort | undefined = undefined;
  private readonly verdicts: Verdict[] = [];
  private readonly scope: FireScope;

  constructor(scope: FireScope) {
    this.scope = scope;
  }

  /** Takes in everything a hook said. */
  absorb(call: HookCall, run: HookRun): void {
    this.runs.push(run);
    const { outcomes, failure } = call.said;
    if (outcomes.length > 0) {
      this.absorbVerdicts(call);
      this.absorbRest(call);
    }
    if (failure !== undefined) this.absorbFailure(call.hook, failure, call.event);
  }

  /** Takes in a recheck: only what it says about the call, and a failure, count. */
  absorbRecheck(call: HookCall, run: HookRun): void {
    this.runs.push(run);
    this.absorbVerdicts(call);
    const { failure } = call.said;
    if (failure !== undefined) this.absorbFailure(call.hook, failure, call.event);
  }

  /** Takes in a hook that did not run: its turn never came, or its matcher threw. */
  absorbNotRun(hook: RegisteredHook, run: HookRun, event: AnyEvent): void {
    this.runs.push(run);
    if (run.failure === undefined) return;
    hook.counters.failures += 1;
    this.absorbFailure(hook, run.failure, event);
  }

  /** Ends the run; on a gate that is a refusal too. */
  absorbAbort(abort: Abort): void {
    this.abort ??= abort;
    if (this.scope.known.row.gate)
      this.verdicts.push({ action: "deny", reason: abort.reason, input: undefined });
  }

  /** True when a hook has refused, or ended the run. */
  get refused(): boolean {
    return this.abort !== undefined || this.verdicts.some((verdict) => verdict.action === "deny");
  }

  /** The decision, from what was collected and the fields that were rewritten. A run that ends is not kept going. */
  decision(finalEvent: AnyEvent, rewritten: Partial<Decision> | undefined): Decision {
    const decision: { -readonly [Key in keyof Decision]: Decision[Key] } = {
      action: "continue",
      context: this.context,
      user_messages: this.userMessages,
      hook_inputs: this.hookInputs,
      runs: this.runs,
    };
    if (rewritten !== undefined) Object.assign(decision, rewritten);
    if (this.verdicts.length > 0) {
      Object.assign(decision, mergeVerdicts(this.verdicts, subjectOf(finalEvent, this.scope.known)));
    }
    if (this.answer !== undefined) decision.answer = this.answer.value;
    if (this.abort !== undefined) return { ...decision, abort: this.abort, hook_inputs: [] };
    if (this.keepGoing.length > 0) decision.keep_going = { reason: this.keepGoing.join("\n") };
    if (this.retry !== undefined) decision.retry = this.retry;
    return decision;
  }

  /** A tally of the failures alone, to raise them after the decision was given. */
  failed(): Tally {
    const tally = new Tally(this.scope);
    tally.failures.push(...this.failures);
    return tally;
  }

  private absorbVerdicts({ event, said: { outcomes, rewritten } }: HookCall): void {
    for (const outcome of outcomes) {
      if (outcome.type === "allow" || outcome.type === "ask" || outcome.type === "deny") {
        // Who permits and rewrites in one answer permits what it wrote.
        const input = rewritten === undefined ? this.judged(event) : rewritten.after;
        this.verdicts.push({ action: outcome.type, reason: outcome.reason, input });
      } else if (outcome.type === "abort") {
        this.absorbAbort(outcome.reason === undefined ? {} : { reason: outcome.reason });
      }
    }
  }

  private absorbRest(call: HookCall): void {
    const hook = call.hook.hook.name;
    const { outcomes } = call.said;
    for (const outcome of outcomes) {
      switch (outcome.type) {
        case "context":
          this.context.push(contextItem(outcome, hook));
          break;
        case "user_message":
          this.userMessages.push({ text: outcome.text, level: outcome.level ?? "info", hook });
          break;
        case "keep_going":
          this.keepGoing.push(outcome.reason);
          break;
        case "hook_input":
          this.hookInputs.push({ hook, text: outcome.text });
          break;
        case "answer":
          this.answer ??= { value: outcome.answer };
          break;
        case "retry":
          this.retry ??= outcome.reason === undefined ? {} : { reason: outcome.reason };
          break;
        default:
      }
    }
  }

  private absorbFailure(hook: RegisteredHook, failure: HookFailure, event: AnyEvent): void {
    const raised = this.failures.some((other) => other.hook === hook);
    if (!raised) this.failures.push({ hook, failure });
    const action = this.failureAction(hook, failure, event);
    const said =
      failure.kind === "cancelled"
        ? failure.message
        : `Hook "${hook.hook.name}" failed (${failure.kind}): ${failure.message}`;
    if (action !== undefined) this.verdicts.push({ action, reason: said, input: this.judged(event) });
    // Who cancels knows it, and a hook that fails in both passes is shown once.
    if (raised || failure.kind === "cancelled") return;
    this.userMessages.push({
      text: said,
      level: action === undefined ? "warning" : "error",
      hook: hook.hook.name,
    });
  }

  private failureAction(
    hook: RegisteredHook,
    { kind }: HookFailure,
    event: AnyEvent,
  ): "ask" | "deny" | undefined {
    const { known } = this.scope;
    const mode = failureMode(hook.hook, known.row, kind);
    if (mode === "open") return undefined;
    if (mode === "ask" && effectAllowed(known, event, "ask")) return "ask";
    return effectAllowed(known, event, "deny") ? "deny" : undefined;
  }

  private judged(event: AnyEvent): unknown {
    return subjectOf(event, this.scope.known);
  }
}

function contextItem(
  { text, role, lifetime, recorded, shortened }: BoundedContext,
  hook: string,
): ContextItem {
  return {
    text,
    hook,
    role: role ?? "user",
    lifetime: lifetime ?? "turn",
    recorded: recorded ?? true,
    ...(shortened === undefined ? {} : { shortened }),
  };
}
