import type { KnownEvent } from "./known-events.ts";
import type { AnyEvent } from "./payloads.ts";

const ROWS = Symbol.for("tenterhook.own-events");

/** Shared by all copies of this file: the program that decides one event is bundled in two parts. */
function rows(): WeakMap<AnyEvent, KnownEvent> {
  const found: unknown = Reflect.get(globalThis, ROWS);
  if (found instanceof WeakMap) return found;
  const made = new WeakMap<AnyEvent, KnownEvent>();
  Object.defineProperty(globalThis, ROWS, { value: made });
  return made;
}

/**
 * Keeps what an event allows that is in no table: one of a caller or of a single agent. Only the set that fires it knows
 * how it was declared, and whoever reads a reply to it must know too.
 */
export function rememberOwn(event: AnyEvent, known: KnownEvent): void {
  if (known.own) rows().set(event, known);
}

/** What such an event allows, when a hook set asks about it. */
export function ownEvent(event: AnyEvent): KnownEvent | undefined {
  return rows().get(event);
}
