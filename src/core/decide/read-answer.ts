import type { RegisteredHook } from "../registration/registered-hook.ts";
import { bounded } from "./cap-text.ts";
import type { HookCall } from "./hook-call.ts";
import { type Permission, readReply } from "./read-outcomes.ts";
import { resolveRewrite } from "./rewrite.ts";
import { SAID_NOTHING, type Said, saidFailure } from "./said.ts";

/** Reads what a hook returned. */
export function hear(value: unknown, call: HookCall): Said {
  if (value === undefined) return SAID_NOTHING;
  const reply = readReply(value, call.asked.known, call.asked.event, permission(call.hook));
  if (reply.problem !== undefined)
    return saidFailure(
      { kind: "bad_output", message: reply.problem },
      { outcomes: reply.outcomes.map((outcome) => bounded(outcome, call)) },
    );
  const outcomes = reply.outcomes
    .filter((outcome) => outcome.type !== "allow" || mayAllow(call))
    .map((outcome) => bounded(outcome, call));
  if (!outcomes.some((outcome) => outcome.type === "rewrite")) {
    return { outcomes, rewritten: undefined, failure: undefined };
  }
  const resolved = resolveRewrite(outcomes, call.asked.event, call.asked.known);
  if ("problem" in resolved)
    return saidFailure({ kind: resolved.kind, message: resolved.problem }, { outcomes });
  return { outcomes, rewritten: resolved, failure: undefined };
}

/** A hook that matched one command of a line may not permit the others. */
function mayAllow({ hook, asked }: HookCall): boolean {
  if (hook.covers === undefined) return true;
  try {
    return hook.covers(asked.event);
  } catch {
    return false;
  }
}

function permission({ hook }: RegisteredHook): Permission {
  if (hook.observe) return "watch";
  return hook.async ? "add" : "decide";
}
