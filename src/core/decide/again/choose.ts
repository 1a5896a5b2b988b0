import { errorMessage } from "../../base/error-text.ts";
import type { AnyEvent } from "../../events/payloads.ts";
import type { RegisteredHook } from "../../registration/registered-hook.ts";
import { addAnswer, hasRefused } from "../collect.ts";
import type { AskedVerdict, Choose, FiredEvent } from "../fired-event.ts";
import { readClock, runHook } from "../run-hook.ts";
import { rewriteTo } from "../run-plan.ts";

/** How often hooks can have a human choose in one event. */
const MOST_CHOICES = 5;

/**
 * Has a human choose where hooks asked with options, once all hooks have run and none refused. Each hook then runs again
 * with the choice in its event, and what it says now counts. Where nobody chooses, its ask remains.
 */
export async function settleChoices(scope: FiredEvent): Promise<void> {
  const { collected, options } = scope;
  const { choose, signal } = options;
  if (choose === undefined) return;
  for (const [at, asked] of collected.choices.entries()) {
    if (at >= MOST_CHOICES || hasRefused(scope)) return;
    const choice = await chosenBy(scope, choose, asked);
    readClock(scope);
    if (signal?.aborted === true) return;
    if (choice === undefined) continue;
    collected.verdicts = collected.verdicts.filter((verdict) => verdict !== asked.verdict);
    if (typeof choice === "string") await runAgain(scope, asked.hook, choice);
    else
      collected.verdicts.push({
        action: "deny",
        reason:
          choice.refused === ""
            ? "The user refused this call."
            : `The user refused this call: ${choice.refused}`,
      });
  }
}

/** The choice of a human; nothing when nobody chose, or chose something that is not an option. */
async function chosenBy(scope: FiredEvent, choose: Choose, { hook, reason, options }: AskedVerdict) {
  const { collected, event } = scope;
  const { name } = hook.hook;
  try {
    const choice = await choose({ hook: name, options, event, reason });
    if (typeof choice !== "string" || options.some(({ label }) => label === choice)) return choice;
    throw new Error(`${JSON.stringify(choice)} is not one of its options`);
  } catch (error) {
    const text = `The options of the hook ${name} could not be offered: ${errorMessage(error)}.`;
    collected.userMessages.push({ text, level: "warning", hook: name });
    return undefined;
  }
}

async function runAgain(scope: FiredEvent, hook: RegisteredHook, choice: string): Promise<void> {
  scope.chosen ??= new Map();
  scope.chosen.set(hook, choice);
  const call = await runHook(scope, hook, {
    event: withChoice(scope, hook),
    known: scope.known,
    chosen: true,
  });
  addAnswer(call);
  if (call.answer.rewritten !== undefined) rewriteTo(scope, call.answer.rewritten.after, scope.plan.length);
}

/** The event as a hook sees it: with what a human chose of its options. */
export function withChoice({ event, chosen }: FiredEvent, hook: RegisteredHook): AnyEvent {
  const choice = chosen?.get(hook);
  return choice === undefined ? event : Object.freeze({ ...event, choice });
}
