import type { EventContext } from "./event-types.ts";

/** An event in parts: its name, whose it is, and its own fields. */
export interface EventParts {
  readonly name: string;
  readonly context: EventContext;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The event in one piece. */
export function wholeEvent({ name, context, fields }: EventParts): Readonly<Record<string, unknown>> {
  // Filled by loops: a spread costs up to fifty times as much on Node 20.
  const event: Record<string, unknown> = { hook_event_name: name };
  for (const key of Object.keys(context)) event[key] = Reflect.get(context, key);
  for (const key of Object.keys(fields)) event[key] = fields[key];
  return event;
}
