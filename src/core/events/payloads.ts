import type { ObjectOf } from "../base/schemas.ts";
import type { AnyToolTypes, ToolsIn, ToolTypes } from "../contracts/tool-types.ts";
import type { CustomEvents, CustomFields } from "./custom-events.ts";
import type { COMMON_FIELDS, EVENT_FIELDS } from "./event-fields.ts";
import type { AnyEventName, EventName } from "./event-table.ts";

/** A message of the conversation, in the shape of the program that stores it. */
export type Message = Readonly<Record<string, unknown>>;

/** What every event carries once the engine has it. */
export type CommonFields = ObjectOf<typeof COMMON_FIELDS>;

/** The own fields of each event. The reference has a page for each. */
export type EventFields = { readonly [Name in EventName]: ObjectOf<(typeof EVENT_FIELDS)[Name]> };

/** An event as the engine itself handles it: whichever it is. */
export type AnyEvent = CommonFields & { readonly hook_event_name: string } & MoreFields;

/** An event as a caller gives it, with the two fields every event must have. */
export type GivenEvent = Readonly<Record<string, unknown>> & {
  readonly session_id: string;
  readonly cwd: string;
};

/** Fields a caller or a foreign agent adds; every hook may look at them. */
type MoreFields = { readonly [field: string]: unknown };

/**
 * An event as hooks see it: complete and frozen. With a tool, or several, its input and its result have their types.
 *
 * @example
 * type Refunding = HookEvent<"PreToolUse", typeof refund>;
 */
export type HookEvent<
  Name extends string = AnyEventName,
  Tools = string,
  Events = CustomEvents,
> = Name extends EventName
  ? CommonFields & { readonly hook_event_name: Name } & FieldsFor<Name, ToolsIn<Tools>>
  : CommonFields & { readonly hook_event_name: Name } & CustomFields<Name, Events>;

/** The own fields of an event; those of a tool event, for each tool that it can be about. */
type FieldsFor<Name extends EventName, Tool extends AnyToolTypes> = [ToolTypes] extends [Tool]
  ? EventFields[Name]
  : Tool extends unknown
    ? {
        readonly [Key in keyof EventFields[Name]]: FieldFor<Key, EventFields[Name][Key], Tool>;
      } & (Name extends "PostToolUse" ? { readonly tool_response: Tool["result"] } : unknown)
    : never;

type FieldFor<Key, Value, Tool extends AnyToolTypes> = Key extends "tool_name"
  ? Tool["name"]
  : Key extends "tool_input" | "original_input"
    ? Tool["input"]
    : Key extends "tool_response"
      ? Tool["result"]
      : Value;

type EngineFields = "event_id" | "seq" | "timestamp";
type CallerFields = Omit<CommonFields, EngineFields | "session_id" | "cwd">;

/** The common part of an event as a caller gives it. */
export type EventContext = {
  readonly session_id: string;
  /** Default: the folder of the process. What comes as data (`fireUntyped`) must say it. */
  readonly cwd?: string | undefined;
} & Partial<CallerFields>;

/** An event as a caller gives it: the engine fills in event_id, seq, timestamp and the other common fields. */
export type EventInput<Name extends string = AnyEventName, Events = CustomEvents> = Name extends EventName
  ? EventContext & { readonly hook_event_name: Name } & EventFields[Name] & MoreFields
  : EventContext & { readonly hook_event_name: Name } & CustomFields<Name, Events>;
