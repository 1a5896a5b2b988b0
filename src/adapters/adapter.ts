import type { Decision } from "../core/decide/decision.ts";
import type { Effect } from "../core/events/effects.ts";
import type { EventDeclaration } from "../core/events/known-events.ts";
import type { AnyEvent } from "../core/events/payloads.ts";

/** A payload as an agent sends it: any object. */
export type NativePayload = Readonly<Record<string, unknown>>;

/** Our event for a payload, as data: the engine checks it when it is fired. */
export type DecodedEvent = Readonly<Record<string, unknown>> & {
  readonly hook_event_name: string;
  readonly session_id: string;
  readonly cwd: string;
  readonly host: string;
  readonly native: NativePayload;
};

/** What an adapter must know of an event to encode a decision about it: an event that was decided, or a decoded one. */
export type EncodedEvent = Pick<AnyEvent, "hook_event_name" | "native">;

/** What is written back to the agent. */
export interface NativeReply {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit_code: number;
  /** What the engine decided and this agent has no way to hear, each with what was done instead. */
  readonly losses: readonly Loss[];
}

/** Something that could not be said to an agent as it was decided. */
export interface Loss {
  readonly effect: Effect;
  /** `deny`: the call was refused instead; `observe`: it went on, and the user was told. */
  readonly became: "deny" | "observe";
  /** What it means, in a sentence for the user. */
  readonly message: string;
}

/** What happens where an agent can't say it: the section `degrade` of a configuration. */
export interface Degrade {
  readonly ask?: "deny" | "observe" | "refuse";
  readonly rewrite?: "deny" | "observe" | "refuse";
}

/** Everything the bridge needs of one foreign agent, beside its settings file. */
export interface Adapter {
  /** As `host` in events and on the command line. */
  readonly name: string;
  /** True when this payload, with these variables around it, comes from this agent. */
  recognises(payload: NativePayload, environment: Readonly<Record<string, string | undefined>>): boolean;
  /** The variable in which it tells its hooks the folder of the project it was started for. */
  readonly projectVariable?: string;
  /** The last text its model wrote, where a payload says how to find that; `undefined` when it can't be found. */
  lastText?(payload: NativePayload): string | undefined;
  /** What hooks may do on the events only this agent has; to be declared before hooks are added. */
  readonly declarations: Readonly<Record<`${string}:${string}`, EventDeclaration>>;
  /**
   * Our event for a payload; `native` holds it untouched.
   *
   * @throws TenterhookError `invalid_event` for one that says not even which event it is.
   */
  decode(payload: NativePayload): DecodedEvent;
  /** What this agent must read so that it does what was decided, or the nearest thing it can do. */
  encode(decision: Decision, event: EncodedEvent, degrade?: Degrade): NativeReply;
  /** What this agent must read when nothing could be decided: on a gate, and where it can't be known, a refusal. */
  refuse(payload: unknown, reason: string): NativeReply;
}
