import { isRecord } from "../../../../core/base/json.ts";
import type { Decision, HookRun } from "../../../../core/decide/decision.ts";
import type { AnyEvent } from "../../../../core/events/payloads.ts";
import type { Why } from "./why.ts";

/** The event as it was after hooks rewrote what it is about, also when that was refused; the same when none did. */
export function rewrittenEvent(event: AnyEvent, { runs }: Decision): AnyEvent {
  const last = runs.findLast(({ input_after }) => input_after !== undefined)?.input_after;
  if (typeof last === "string") return { ...event, prompt: last };
  return isRecord(last) ? { ...event, tool_input: last } : event;
}

/** Why a hook was asked where the input was rewritten on the way: it may have fitted only before, or only afterwards. */
export function whyInTheEnd(before: Why, after: Why, run: HookRun | undefined): Why {
  if (run === undefined)
    return before.matched && !after.matched
      ? { matched: false, why: `it does not fit the rewritten input (${after.why})` }
      : before;
  const asked =
    run.recheck === true ? "asked again about the rewritten input" : "asked about the rewritten input";
  if (before.matched)
    return run.recheck === true ? { matched: true, why: `${before.why}; ${asked}` } : before;
  return { matched: true, why: after.matched ? `${asked} (${after.why})` : asked };
}
