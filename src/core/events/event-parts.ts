import type { EventContext } from "./payloads.ts";

/** Whose event it is, as a caller says it: the two fields every event has, and others that are not looked at yet. */
export type GivenContext = {
  readonly session_id: string;
  readonly cwd: string;
  readonly agent_id?: unknown;
  readonly agent_type?: unknown;
  readonly host?: unknown;
  readonly parent_agent_id?: unknown;
  readonly turn_id?: unknown;
  readonly transcript_path?: unknown;
};

/** An event as a caller gives it: whose it is, and its own fields. A whole event is both. */
export interface GivenEvent {
  readonly context: GivenContext;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** An event in parts, as a loop gives it that fires many. */
export interface EventParts extends GivenEvent {
  readonly name: string;
  readonly context: {
    readonly [Key in keyof Omit<EventContext, "native">]: EventContext[Key] | undefined;
  } & GivenContext;
}
