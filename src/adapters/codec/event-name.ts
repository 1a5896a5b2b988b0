import { TenterhookError } from "../../core/base/errors.ts";
import { EVENTS, isGateEvent } from "../../core/events/event-table.ts";
import { type AgentTable, isGate } from "./agent-table.ts";

/** The characters of a name that somebody would give to an event. */
const PLAIN = /^\w[\w.:-]*$/;

/**
 * Checks the name of an event that is not in an agent's table. A new event of the agent passes. A name that looks like a
 * gate's does not: hooks on the gate would not see it.
 *
 * @throws TenterhookError `invalid_event` for a name with other characters than names have, and for one that differs
 *   from a gate's only in case, in `-` and `_`, in letters that look alike, or by what follows it.
 */
export function checkUnknownName(table: Pick<AgentTable, "title" | "events">, native: string): void {
  const shown = JSON.stringify(native.slice(0, 100));
  if (!PLAIN.test(native))
    throw new TenterhookError("invalid_event", `${shown} is not a name that an event can have.`);
  const plain = plainName(native);
  const gates = [
    ...Object.keys(table.events).filter((name) => isGate(table.events[name] ?? { says: {} })),
    ...Object.keys(EVENTS).filter(isGateEvent),
  ];
  const near = gates.find((name) => plain.startsWith(plainName(name)));
  if (near !== undefined)
    throw new TenterhookError(
      "invalid_event",
      `${table.title} has no event ${shown}; it looks like ${near}, whose hooks would not see it.`,
    );
}

/** Without what readers overlook: case, `-` and `_`, and letters that look like others (`I`, `1`, `0`, `rn`). */
function plainName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z\d]/g, "")
    .replaceAll(/[i1]/g, "l")
    .replaceAll("0", "o")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w");
}
