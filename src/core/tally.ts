import { contextItem } from "./context-items.ts";
import type { ContextItem, Decision, HookFailure, HookInput, HookRun, UserMessage } from "./decision.ts";
import type { Action } from "./effects.ts";
import type { AnyEvent } from "./event-types.ts";
import type { FireScope } from "./fire-scope.ts";
import { sameJson } from "./json.ts";
import { failureMode, type RegisteredHook } from "./registered-hook.ts";
import { subjectOf } from "./rewrite.ts";
import type { Settled } from "./run-hook.ts";
import { ACTION_RANK } from "./summarise.ts";
import { capText } from "./text.ts";

/** A hook's verdict and the input it was about. */
interface Verdict {
  readonly action: Exclude<Action, "continue">;
  readonly reason: string | undefined;
  readonly input: unknown;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** A hook that failed, for the Error event. */
export interface RaisedFailure {
  readonly hook: RegisteredHook;
  readonly failure: HookFailure;
}

/** Collects what the hooks of one event say, in hook order, and makes the decision of it. Nothing a hook says is lost. */
export class Tally {
  readonly runs: HookRun[] = [];
  readonly failures: RaisedFailure[] = [];
  readonly context: ContextItem[] = [];
  readonly userMessages: UserMessage[] = [];
  hookInputs: HookInput[] = [];
  keepGoing: string[] = [];
  answer: { readonly value: unknown } | undefined;
  retry: { readonly reason?: string } | undefined;
  abort: { readonly reason?: string } | undefined;
  private readonly verdicts: Verdict[] = [];
  private readonly scope: FireScope;

  constructor(scope: FireScope) {
    this.scope = scope;
  }

  /** Takes in everything a hook said. */
  absorb(settled: Settled, run: HookRun): void {
    this.runs.push(run);
    if (settled.outcomes.length > 0) this.absorbOutcomes(settled);
    if (settled.failure !== undefined) this.absorbFailure(settled.call.hook, settled.failure, settled);
  }

  /** Takes in a recheck: only what it says about the call, and a failure, count. */
  absorbRecheck(settled: Settled, run: HookRun): void {
    this.runs.push(run);
    this.absorbVerdicts(settled);
    if (settled.failure !== undefined) this.absorbFailure(settled.call.hook, settled.failure, settled);
  }

  /** Takes in a hook that never began. */
  absorbSkipped(hook: RegisteredHook, run: HookRun): void {
    this.runs.push(run);
    if (run.failure !== undefined) this.failClosed(hook, run.failure, undefined);
  }

  /** Takes in a hook whose matcher threw. */
  absorbUnmatched(hook: RegisteredHook, run: HookRun): void {
    this.runs.push(run);
    if (run.failure === undefined) return;
    this.failures.push({ hook, failure: run.failure });
    this.failClosed(hook, run.failure, undefined);
  }

  /** Ends the run; on a gate that is a refusal too. */
  absorbAbort(abort: { readonly reason?: string }): void {
    this.abort ??= abort;
    if (this.scope.known.row.gate)
      this.verdicts.push({ action: "deny", reason: abort.reason, input: undefined });
  }

  /** True when a hook has refused, or ended the run. */
  get refused(): boolean {
    return this.abort !== undefined || this.verdicts.some((verdict) => verdict.action === "deny");
  }

  /** The decision, from what was collected and the fields that were rewritten. */
  decision(finalEvent: AnyEvent, rewritten: Partial<Decision> | undefined): Decision {
    const decision: Mutable<Decision> = {
      action: "continue",
      context: this.context,
      user_messages: this.userMessages,
      hook_inputs: this.hookInputs,
      runs: this.runs,
    };
    if (this.verdicts.length > 0)
      Object.assign(decision, this.verdict(subjectOf(finalEvent, this.scope.known)));
    if (rewritten !== undefined) Object.assign(decision, rewritten);
    if (this.keepGoing.length > 0) decision.keep_going = { reason: this.keepGoing.join("\n") };
    if (this.answer !== undefined) decision.answer = this.answer.value;
    if (this.retry !== undefined) decision.retry = this.retry;
    if (this.abort !== undefined) decision.abort = this.abort;
    return decision;
  }

  /** The strongest action and its reasons. An allow counts only for the input it was given to. */
  private verdict(finalInput: unknown): { readonly action: Action; readonly reason?: string } {
    let action: Action = "continue";
    for (const verdict of this.verdicts) {
      if (verdict.action === "allow" && !sameJson(verdict.input, finalInput)) continue;
      if (ACTION_RANK[verdict.action] > ACTION_RANK[action]) action = verdict.action;
    }
    const reasons = new Set<string>();
    for (const verdict of this.verdicts) {
      if (verdict.action === action && verdict.reason !== undefined && verdict.reason !== "")
        reasons.add(verdict.reason);
    }
    return reasons.size === 0
      ? { action }
      : { action, reason: capText([...reasons].join("\n"), this.scope.limits.context_characters) };
  }

  private absorbOutcomes(settled: Settled): void {
    const hook = settled.call.hook.hook.name;
    this.absorbVerdicts(settled);
    for (const outcome of settled.outcomes) {
      switch (outcome.type) {
        case "context":
          this.context.push(contextItem(outcome, hook, this.scope));
          break;
        case "user_message":
          this.userMessages.push({ text: this.capped(outcome.text), level: outcome.level ?? "info", hook });
          break;
        case "keep_going":
          this.keepGoing.push(outcome.reason);
          break;
        case "hook_input":
          this.hookInputs.push({ hook, text: this.capped(outcome.text) });
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

  private absorbVerdicts(settled: Settled): void {
    for (const outcome of settled.outcomes) {
      if (outcome.type === "allow" || outcome.type === "ask" || outcome.type === "deny") {
        this.verdicts.push({ action: outcome.type, reason: outcome.reason, input: this.judged(settled) });
      } else if (outcome.type === "abort") {
        this.absorbAbort(outcome.reason === undefined ? {} : { reason: outcome.reason });
      }
    }
  }

  private absorbFailure(hook: RegisteredHook, failure: HookFailure, settled: Settled): void {
    if (!this.failures.some((raised) => raised.hook === hook)) this.failures.push({ hook, failure });
    this.failClosed(hook, failure, this.judged(settled));
  }

  private failClosed(hook: RegisteredHook, failure: HookFailure, input: unknown): void {
    const { row, allowed } = this.scope.known;
    const mode = failureMode(hook.hook, row, failure.kind);
    const refusable = allowed.has("deny") && row.only_when?.deny === undefined;
    const action =
      mode === "open"
        ? undefined
        : mode === "ask" && allowed.has("ask")
          ? "ask"
          : refusable
            ? "deny"
            : undefined;
    const said = this.capped(`Hook "${hook.hook.name}" failed (${failure.kind}): ${failure.message}`);
    if (action !== undefined) this.verdicts.push({ action, reason: said, input });
    this.userMessages.push({
      text: said,
      level: action === undefined ? "warning" : "error",
      hook: hook.hook.name,
    });
  }

  private judged(settled: Settled): unknown {
    return subjectOf(settled.call.event, this.scope.known);
  }

  private capped(text: string): string {
    return capText(text, this.scope.limits.context_characters);
  }
}
