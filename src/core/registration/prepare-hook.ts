import { TenterhookError } from "../base/errors.ts";
import { isRecord } from "../base/json.ts";
import type { Effect } from "../events/effects.ts";
import type { EventRow } from "../events/event-row.ts";
import { unknownEvent } from "../events/known-events.ts";
import type { Handler, Ports } from "../ports.ts";
import type { HookOptions } from "./hook.ts";
import { type PreparedHook, registerHook } from "./registered-hook.ts";
import type { Registry } from "./registry.ts";

/** A hook as its author gives it, and the seconds it has when he says nothing of them. */
interface NewHook {
  readonly events: string | readonly string[];
  readonly options: HookOptions;
  readonly handler: Handler;
  readonly defaultTimeout: number;
}

/**
 * Checks a hook and makes it ready for the set it was made for.
 *
 * @throws TenterhookError for an unknown event or option, a bad pattern, or an effect its events can't have.
 */
export function prepareHook(
  registry: Registry,
  ports: Ports,
  { events, options, handler, defaultTimeout }: NewHook,
): PreparedHook {
  const { run, type }: { run: unknown; type: unknown } = handler;
  if (typeof run !== "function" || typeof type !== "string") {
    throw new TenterhookError("invalid_option", "A handler needs a type and a function run.");
  }
  const given: unknown = options;
  if (!isRecord(given))
    throw new TenterhookError("invalid_option", "The options of a hook must be an object.");
  const names: readonly string[] =
    typeof events === "string" ? [events] : Array.isArray(events) ? events : [];
  if (names.length === 0) throw new TenterhookError("invalid_option", "A hook needs at least one event.");
  for (const event of names) rowOf(registry, event);
  const name = options.name ?? `${names.join("+")}#${registry.nextNumber()}`;
  checkEffects(name, names, handler.effects ?? [], registry);
  return registerHook({ name, events: names, options, handler, defaultTimeout }, ports, (event) =>
    rowOf(registry, event),
  );
}

/**
 * What a set knows of an event.
 *
 * @throws TenterhookError `unknown_event`, with the names that may be meant.
 */
export function rowOf(registry: Registry, event: string): EventRow {
  const known = registry.find(event);
  if (known === undefined) throw unknownEvent(event, registry.eventNames());
  return known.row;
}

/** Reports what is known to be wrong now, not when the hook first does it. */
function checkEffects(
  name: string,
  events: readonly string[],
  effects: readonly Effect[],
  registry: Registry,
): void {
  const allowed = events.flatMap((event) => [...(registry.find(event)?.allowed ?? [])]);
  for (const effect of effects) {
    if (allowed.includes(effect)) continue;
    throw new TenterhookError(
      "effect_not_allowed",
      `Hook ${JSON.stringify(name)} has a rule for ${effect}, which ${events.join(" and ")} can't have (only ${[...new Set(allowed)].join(", ")}).`,
    );
  }
}
