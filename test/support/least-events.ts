import { EVENTS, type EventInput, type EventName, type EventRow } from "tenterhook";
import { HERE } from "./events.ts";

const SAMPLES = { text: "x", object: {}, list: [], anything: 1 } as const;

/** The smallest event of a name: what the table requires of a caller and nothing else. */
export function leastEvent<Name extends EventName>(name: Name): EventInput<Name>;
export function leastEvent(name: EventName): object {
  const row: EventRow = EVENTS[name];
  const fields = Object.entries(row.requires).map(([field, kind]) => [field, SAMPLES[kind]]);
  return { ...HERE, hook_event_name: name, ...Object.fromEntries(fields) };
}
