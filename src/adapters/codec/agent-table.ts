import type { Decision } from "../../core/decide/decision.ts";
import { EFFECTS, type Effect } from "../../core/events/effects.ts";
import { type EventName, isGateEvent } from "../../core/events/event-table.ts";
import type { EventDeclaration } from "../../core/events/known-events.ts";
import type { NativeKeys } from "../../core/events/outcomes.ts";
import type { AnyEvent } from "../../core/events/payloads.ts";
import type { Asks, EncodedEvent, Loss, NativePayload, NativeReply } from "../adapter.ts";

/** What we know about one event of an agent. `Form` names the ways in which this agent takes a reply. */
export interface AgentEvent<Form extends string = string> {
  /** Our event; absent when only this agent has it and it is called `agent:NAME`. */
  readonly event?: EventName;
  /** Fields that have another name in our event. */
  readonly renames?: Readonly<Record<string, string>>;
  /** Fields of our event that the payload does not have. */
  readonly adds?: Readonly<Record<string, unknown>>;
  /** Fields of our event that the payload has in another form; they replace those of the payload. */
  readonly fields?: (payload: NativePayload) => Readonly<Record<string, unknown>>;
  /** The reply form of each effect. The agent ignores an effect that is not listed: the adapter degrades it. */
  readonly says: Readonly<Partial<Record<Effect, Form>>>;
  /** For events that only it has: what hooks may do there. */
  readonly declares?: EventDeclaration;
  /** Who reads the context of this event, when the model of the conversation does not. */
  readonly context_for?: "subagent" | "compaction";
  /** The event that always comes before this one for the same thing: what it has not to say counts there. */
  readonly follows?: string;
  /** Effects that no test shows on the real program; `true`: the event itself was only read of, not seen in a run. */
  readonly documented?: true | readonly Effect[];
}

/** Where the rows of a table come from. */
export interface Evidence {
  /** The version that was run, or read where it can't be run. */
  readonly version: string;
  /** Year, month and day. */
  readonly date: string;
  /** True when the program itself was never run: every row is documented only. */
  readonly documented?: true;
}

export interface Draft {
  /** Top-level keys of the JSON reply. */
  readonly top: Record<string, unknown>;
  /** `hookSpecificOutput` without its `hookEventName`. */
  readonly specific: Record<string, unknown>;
  /** Written as it is when there is no JSON reply. */
  text: string;
  stderr: string;
  exit_code: number;
  /** What the user is to read. */
  readonly messages: string[];
}

/** Writes one part of a decision into the reply. */
export type ReplyForm = (
  draft: Draft,
  decision: Decision,
  payload: unknown,
  environment: NodeJS.ProcessEnv,
) => void;

/** Everything a codec needs to know about an agent, as data where data will do. */
export interface AgentTable<Form extends string = string> {
  readonly name: string;
  /** The agent's name for people. */
  readonly title: string;
  readonly evidence: Evidence;
  /** What it asks its user, and where that can be answered. */
  readonly asks: Asks;
  /** By the agent's own names. */
  readonly events: Readonly<Record<string, AgentEvent<Form>>>;
  /** How an event is refused that is newer than the table, which may be a gate. */
  readonly unknown: AgentEvent<Form>["says"];
  readonly forms: Readonly<Record<Form, ReplyForm>>;
  /** The agent's name of the payload's event. Default: its `hook_event_name`. */
  eventOf?(payload: NativePayload): string | undefined;
  /** `fields` of every event. `folder` is where the agent started the hook, for payloads that name no folder. */
  complete?(payload: NativePayload, folder: string): Readonly<Record<string, unknown>>;
  /** Why an effect that the row lists can't be used for this decision: a sentence, or true for the usual one. */
  unfit?(
    effect: Effect,
    form: Form,
    decision: Decision,
    event: EncodedEvent,
    environment: NodeJS.ProcessEnv,
  ): string | boolean;
  /** Its names of tools that have another one with us, or several, the usual one first. */
  readonly tools?: Readonly<Record<string, readonly string[]>>;
  /**
   * For agents whose hooks can be imported: the payload of an event that another agent sent. The event's name, renamed
   * fields and names of tools are this agent's already.
   */
  tells?(fields: NativePayload, event: AnyEvent): NativePayload;
  /** Adds what hooks say to this agent alone. */
  passOn?(draft: Draft, keys: NativeKeys): void;
  write(draft: Draft, native: string, losses: readonly Loss[]): NativeReply;
  /** The refusal of something that may be any event. Default: exit code 2 with the reason on stderr. */
  refuseUnknown?(reason: string): NativeReply;
}

/** An agent's table. The keys of its `forms` are the reply forms that its events may name. */
export function agentTable<Form extends string>(
  table: AgentTable<NoInfer<Form>> & { readonly forms: Readonly<Record<Form, ReplyForm>> },
): AgentTable<Form> {
  return table;
}

/** `complete` of Claude Code and Qwen Code: a subagent has the session of its parent, and `prompt_id` names the turn. */
export function subagentFields({ session_id, agent_id, prompt_id }: NativePayload): NativePayload {
  return {
    ...(typeof agent_id === "string" && typeof session_id === "string"
      ? { parent_agent_id: session_id }
      : {}),
    ...(typeof prompt_id === "string" ? { turn_id: prompt_id } : {}),
  };
}

/** The row of an event by the agent's name; a safe default for an unknown one. */
export function rowOf<Form extends string>(table: AgentTable<Form>, native: string): AgentEvent<Form> {
  return (Object.hasOwn(table.events, native) ? table.events[native] : undefined) ?? unknownRow(table);
}

function unknownRow<Form extends string>({ unknown }: AgentTable<Form>): AgentEvent<Form> {
  return { says: unknown, declares: { effects: ["deny"] } };
}

/** True when a refusal stops something. Encoding, `install` and `doctor` all ask this function. */
export function isGate({ event, declares }: AgentEvent): boolean {
  if (event !== undefined) return isGateEvent(event);
  return declares?.gate ?? declares?.effects.includes("deny") === true;
}

/** The name of an event that only this agent has, without characters that a name can't have. */
export function ownName({ name }: Pick<AgentTable, "name">, native: string): `${string}:${string}` {
  return `${name}:${native.replaceAll(/^[^A-Za-z]+|[^\w.-]/g, "") || "Unnamed"}`;
}

/** The agent's name of an event that only it has; `undefined` for any other event. */
export function nativeOf({ name }: Pick<AgentTable, "name">, event: string): string | undefined {
  return event.startsWith(`${name}:`) ? event.slice(name.length + 1) : undefined;
}

/**
 * The rows of one of our events with their native names; for an unknown event of the agent's own, a safe default.
 *
 * @public for the page of agents in the docs
 */
export function rowsFor(table: AgentTable, event: string): readonly (readonly [string, AgentEvent])[] {
  const rows = Object.entries(table.events).filter(
    ([native, row]) => (row.event ?? ownName(table, native)) === event,
  );
  const native = nativeOf(table, event);
  return rows.length > 0 || native === undefined ? rows : [[native, unknownRow(table)]];
}

/**
 * The effects the agent supports on one of our events: on every native event that becomes it. `undefined` when it never
 * sends the event.
 */
export function heardOn(table: AgentTable, event: string): ReadonlySet<Effect> | undefined {
  const rows = rowsFor(table, event).filter(([, { follows }]) => follows === undefined);
  if (rows.length === 0) return undefined;
  const heard = EFFECTS.filter((effect) => rows.every(([, { says }]) => says[effect] !== undefined));
  return new Set([...heard, "user_message"]);
}

/** True when a refusal on one of our events stops something. */
export function gatesOn(table: AgentTable, event: string): boolean {
  return rowsFor(table, event).some(([, row]) => isGate(row));
}
