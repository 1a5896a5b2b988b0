import type { ObjectOf } from "../base/schemas.ts";
import type { CustomFields } from "./custom-events.ts";
import type { COMMON_FIELDS, EVENT_FIELDS } from "./event-fields.ts";
import type { EventName, OwnEventName } from "./event-table.ts";

/** What a tool is called with. */
export type ToolInput = Readonly<Record<string, unknown>>;

/** A message of the conversation, in the shape of the program that stores it. */
export type Message = Readonly<Record<string, unknown>>;

/** What every event carries once the engine has it. */
export type CommonFields = ObjectOf<typeof COMMON_FIELDS>;

/** The own fields of each event. The reference has a page for each. */
export type EventFields = { readonly [Name in EventName]: ObjectOf<(typeof EVENT_FIELDS)[Name]> };

/** An event as the engine itself handles it: whichever it is. */
export type AnyEvent = CommonFields & { readonly hook_event_name: string } & MoreFields;

/** Fields a caller or a foreign agent adds; every hook may look at them. */
type MoreFields = { readonly [field: string]: unknown };

/** An event as hooks see it: complete and frozen. */
export type HookEvent<Name extends string = EventName | OwnEventName> = Name extends EventName
  ? CommonFields & { readonly hook_event_name: Name } & EventFields[Name]
  : CommonFields & { readonly hook_event_name: Name } & CustomFields<Name>;

type EngineFields = "event_id" | "seq" | "timestamp";
type CallerFields = Omit<CommonFields, EngineFields | "session_id" | "cwd">;

/** The common part of an event as a caller gives it. */
export type EventContext = { readonly session_id: string; readonly cwd: string } & Partial<CallerFields>;

/** An event as a caller gives it: the engine fills in event_id, seq, timestamp and the other common fields. */
export type EventInput<Name extends string = EventName | OwnEventName> = Name extends EventName
  ? EventContext & { readonly hook_event_name: Name } & EventFields[Name] & MoreFields
  : EventContext & { readonly hook_event_name: Name } & CustomFields<Name>;
