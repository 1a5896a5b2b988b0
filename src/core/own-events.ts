import type { KnownEvent } from "./event-catalogue.ts";
import type { AnyEvent } from "./event-types.ts";

const rows = new WeakMap<AnyEvent, KnownEvent>();

/**
 * Keeps what an event allows that is in no table: one of a caller or of a single agent. Only the set that fires it knows
 * how it was declared, and whoever reads a reply to it must know too.
 */
export function rememberOwn(event: AnyEvent, known: KnownEvent): void {
  if (known.own) rows.set(event, known);
}

/** What such an event allows, when a hook set asks about it. */
export function ownEvent(event: AnyEvent): KnownEvent | undefined {
  return rows.get(event);
}
