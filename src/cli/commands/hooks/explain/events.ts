import { EVENTS } from "../../../../core/events/event-table.ts";
import { unknownName } from "../../../command-line/usage-error.ts";

export const EVENTS_HINT = `Events: ${Object.keys(EVENTS).join(", ")}.`;

/**
 * The name of an event as the table spells it.
 *
 * @throws TenterhookError `usage_error` with the nearest name.
 */
export function knownEventName(name: string): string {
  if (name.includes(":")) return name;
  const known = Object.keys(EVENTS).find(
    (one) => one.toLowerCase() === name.toLowerCase().replaceAll(/[_-]/g, ""),
  );
  if (known !== undefined) return known;
  throw unknownName("event", name, Object.keys(EVENTS), EVENTS_HINT);
}
