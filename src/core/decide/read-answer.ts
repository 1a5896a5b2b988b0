import { isHookFailure } from "../events/hook-failure-error.ts";
import type { AnyEvent } from "../events/payloads.ts";
import { failureMode, type RegisteredHook } from "../registration/registered-hook.ts";
import { capOutcome } from "./cap-text.ts";
import type { HookFailure } from "./decision.ts";
import { failureOf } from "./failures.ts";
import { type HookAnswer, type HookCall, NO_ANSWER } from "./hook-call.ts";
import { type Permission, readReply, refuses } from "./read-outcomes.ts";
import { resolveRewrite } from "./rewrite.ts";

/** Reads what a hook returned. Never throws. */
export function readAnswer(value: unknown, call: HookCall): HookAnswer {
  if (value === undefined) return NO_ANSWER;
  try {
    return read(value, call);
  } catch (error) {
    return readThrown(error, call);
  }
}

/** Reads what a hook threw: how it failed, and what it refused all the same. */
export function readThrown(error: unknown, call: HookCall): HookAnswer {
  const failure = failureOf(error, call.scope.options.signal);
  if (isHookFailure(error) && error.outcomes.length > 0 && isLetPass(failure, call)) {
    const answer = read(error.outcomes, call);
    return { ...answer, failure: answer.failure ?? failure };
  }
  if (!isHookFailure(error) || error.refusals.length === 0) return failedAnswer(failure);
  return failedAnswer(failure, read(error.refusals.filter(refuses), call));
}

function isLetPass({ kind }: HookFailure, { hook, known }: HookCall): boolean {
  return failureMode(hook.hook, known.row, kind) === "open";
}

/** The answer of a hook that failed: its refusals still count, the rest is dropped. */
export function failedAnswer(
  failure: HookFailure,
  { outcomes }: Pick<HookAnswer, "outcomes"> = NO_ANSWER,
): HookAnswer {
  return { outcomes: outcomes.filter(refuses), rewritten: undefined, failure };
}

function read(value: unknown, call: HookCall): HookAnswer {
  const { event, known, hook } = call;
  const reply = readReply(value, known, event, permission(hook));
  const outcomes = reply.outcomes
    .filter((outcome) => outcome.type !== "allow" || mayAllow(call))
    .map((outcome) => capOutcome(outcome, call));
  if (reply.problem !== undefined)
    return failedAnswer({ kind: "bad_output", message: reply.problem }, { outcomes });
  if (!outcomes.some((outcome) => outcome.type === "rewrite"))
    return { outcomes, rewritten: undefined, failure: undefined };
  const rewritten = resolveRewrite(outcomes, event, known, originalOf(call));
  if ("problem" in rewritten)
    return failedAnswer({ kind: rewritten.kind, message: rewritten.problem }, { outcomes });
  return { outcomes, rewritten, failure: undefined };
}

function originalOf({ scope, event }: HookCall): AnyEvent {
  return scope.rewritten[0]?.event ?? event;
}

/** A hook that matched one command of a line may not permit the others. */
function mayAllow({ hook, event }: HookCall): boolean {
  if (hook.covers === undefined) return true;
  try {
    return hook.covers(event);
  } catch {
    return false;
  }
}

function permission({ hook }: RegisteredHook): Permission {
  if (hook.observe) return "watch";
  return hook.async ? "add" : "decide";
}
