import { TenterhookError } from "../../core/base/errors.ts";
import type { Outcome } from "../../core/events/outcomes.ts";
import type { AnyEvent } from "../../core/events/payloads.ts";
import type { Handler, HookContext } from "../../core/ports.ts";
import type { HandlerSetting, HandlerSettings } from "../handler-types.ts";
import { COMBINATIONS, type Combination, type Strictness, strictnessOf } from "./combine.ts";
import { askPart, makePart, type Part, type PartAnswer } from "./part.ts";
import { PartContext } from "./part-context.ts";

/**
 * A hook of several handlers. `all` asks every one and merges as the engine does; `any` refuses only when every one
 * does; `first` takes the first that has an opinion.
 *
 * @throws TenterhookError that names the part and what is wrong with it.
 */
export async function compositionHandler(
  type: keyof typeof COMBINATIONS,
  settings: HandlerSettings,
  setting: HandlerSetting,
): Promise<Handler> {
  const given: unknown = settings[type];
  if (!Array.isArray(given) || given.length === 0)
    throw new TenterhookError(
      "invalid_definition",
      `${type} must be a list of handlers, each with its type.`,
    );
  const list: readonly unknown[] = given;
  const parts = await Promise.all(list.map((part, at) => makePart(part, at, settings, setting)));
  return composed(type, parts, strictnessOf(settings.on_failure));
}

function composed(type: keyof typeof COMBINATIONS, parts: readonly Part[], strictness: Strictness): Handler {
  const handlers = parts.map(({ handler }) => handler);
  const [problem] = parts.flatMap(({ label, handler }) =>
    handler.problem === undefined ? [] : [`${label}: ${handler.problem}`],
  );
  const effects = handlers.flatMap((handler) => (handler.effects === undefined ? [] : [handler.effects]));
  return {
    type,
    // One part of which nobody knows what it does may do anything.
    ...(effects.length === handlers.length ? { effects: [...new Set(effects.flat())] } : {}),
    ...(problem === undefined ? {} : { problem }),
    // What its parts have refused by then is told when it is ended.
    tidies: true,
    run: (event, context) => ask(parts, event, context, COMBINATIONS[type], strictness),
    ...(handlers.some(({ health }) => health !== undefined) ? { health: () => healthOf(parts) } : {}),
    close: () => Promise.allSettled(handlers.map(async (handler) => handler.close?.())),
  };
}

/** Asks the parts in order, each about the event as the ones before left it. */
async function ask(
  parts: readonly Part[],
  event: AnyEvent,
  whole: HookContext,
  { isEnough, passesOn, combine }: Combination,
  strictness: Strictness,
): Promise<readonly Outcome[]> {
  const context = new PartContext(whole);
  const answers: PartAnswer[] = [];
  let seen = event;
  for (const part of parts) {
    const answer = await askPart(part, seen, context);
    answers.push(answer);
    if (isEnough(answer)) break;
    if (passesOn(answer)) seen = answer.event;
  }
  return combine(answers, strictness);
}

function healthOf(parts: readonly Part[]): string {
  return parts
    .flatMap(({ label, handler }) => (handler.health === undefined ? [] : [`${label}: ${handler.health()}`]))
    .join("; ");
}
