import type { Usage } from "../core/contracts/transcript.ts";
import type { Decision } from "../core/decide/decision.ts";
import type { Effect } from "../core/events/effects.ts";
import type { EventDeclaration } from "../core/events/known-events.ts";
import type { AnyEvent } from "../core/events/payloads.ts";

/** A payload as the agent sends it. */
export type NativePayload = Readonly<Record<string, unknown>>;

/** Our event for a payload. The engine validates it when it is fired. */
export type DecodedEvent = Readonly<Record<string, unknown>> & {
  readonly hook_event_name: string;
  readonly session_id: string;
  readonly cwd: string;
  readonly host: string;
  readonly native: NativePayload;
};

/** The part of an event that an adapter needs to encode a decision. */
export type EncodedEvent = Pick<AnyEvent, "hook_event_name" | "native">;

/** What is written back to the agent. */
export interface NativeReply {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit_code: number;
  /** Decisions that this agent cannot express, each with what was done instead. */
  readonly losses: readonly Loss[];
}

/** A decision that could not be passed on to the agent as it is. */
export interface Loss {
  readonly effect: Effect;
  /** `deny`: the call was refused instead; `observe`: it went on, and the user was notified. */
  readonly became: "deny" | "observe";
  /** What it means, as a sentence for the user. */
  readonly message: string;
}

/** What to do when an agent cannot express a decision: the section `degrade` of a configuration. */
export interface Degrade {
  readonly ask?: "deny" | "observe" | "refuse";
  readonly rewrite?: "deny" | "observe" | "refuse";
}

/** What an agent's own transcript says about the turn that an event belongs to. Times are in milliseconds. */
export interface NativeTurn {
  readonly started_at: number;
  /** When each tool call was made. */
  readonly tool_calls: readonly number[];
  /** Of all its requests. */
  readonly usage: Usage;
}

/** A call of a model, as an agent's own transcript describes it. */
export interface ModelCall {
  /** What entries about one call have in common. */
  readonly id?: unknown;
  /** `provider/model`. */
  readonly model?: string;
  /** All input, that from the cache and that written to it included. */
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cached_tokens?: number;
  readonly cache_write_tokens?: number;
  /** Where the agent says it itself. */
  readonly cost_usd?: number;
  readonly context_window?: number;
  /** True when the window is a guess, and not the agent's word. */
  readonly window_inferred?: true;
}

/** What an agent's own transcript says about its model calls. */
export interface NativeUsage {
  /** Those of the last turn, the last one first. */
  readonly calls: readonly ModelCall[];
  /** The last call before a turn that has made none yet. */
  readonly before?: ModelCall;
  /** Calls in other files, of its subagents and for a summary: they cost, but fill another context. */
  readonly besides?: readonly ModelCall[];
  /** When the last call before this turn was made, in milliseconds. */
  readonly since?: number;
}

/** What agents ask their users. */
export const ASKED_KINDS = ["question", "plan_approval", "permission"] as const;
export type AskedKind = (typeof ASKED_KINDS)[number];

/** How an answer from outside reaches an agent that asks its user. */
export interface AnsweredAt {
  /** Our event: the reply of a hook on it is the answer. */
  readonly event: "PreToolUse" | "PermissionRequest";
  /**
   * `shown`: the agent's own dialog is on the screen while the hook waits, and the first answer counts. `hidden`: the agent asks
   * its hooks first, so that its user sees nothing until they have replied.
   */
  readonly dialog: "shown" | "hidden";
  /** True when that was only read of, not seen in a run: the hold is short then, as for a hidden dialog. */
  readonly documented?: true;
}

/** What an agent asks, and where that can be answered. `terminal`: only at its own terminal. What it never asks is absent. */
export type Asks = Readonly<Partial<Record<AskedKind, AnsweredAt | "terminal">>>;

/** Everything about a foreign agent that `tenterhook hook` needs; see `Integration` for the commands. */
export interface Adapter {
  /** The value of `host` in events, and the agent's name on the command line. */
  readonly name: string;
  /** What it asks its user, and where that can be answered. */
  readonly asks: Asks;
  /** The environment variable that names the folder of the agent's project. */
  readonly projectVariable?: string;
  /** The environment variable that names the session, in what the agent runs. */
  readonly sessionVariable?: string;
  /** Other environment variables that the agent sets for what it runs. Its user's own settings are not among them. */
  readonly otherVariables?: readonly string[];
  /** True when the approval of a plan counts only together with an input: otherwise the agent asks its user, too. */
  readonly approvesWithInput?: true;
  /** The last texts the model wrote, the last one first, when the payload tells where to find them. */
  lastTexts?(payload: NativePayload): Iterable<string>;
  /** The turn of this event, when the payload tells where to find it. Never throws. */
  turn?(payload: NativePayload): NativeTurn | undefined;
  /** What the turn has used so far, when the payload tells where to find it. Never rejects. */
  usage?(payload: NativePayload): Promise<NativeUsage | undefined>;
  /**
   * For an agent that runs the hooks of an event one after another: the payload that the next one gets after this
   * decision. Then a call that comes twice comes the second time when the first has ended. Its payloads must have the
   * time of the event, which tells a second call from another event.
   */
  nextPayload?(payload: NativePayload, decision: Decision): NativePayload;
  /** What hooks may do on events that only this agent has. Declare them before hooks are added. */
  readonly declarations: Readonly<Record<`${string}:${string}`, EventDeclaration>>;
  /**
   * Converts a payload to our event; `native` holds the payload as it was.
   *
   * @param folder where the agent started the hook. Default: the folder of this process.
   * @throws TenterhookError `invalid_event` when the payload has no event name.
   */
  decode(payload: NativePayload, folder?: string): DecodedEvent;
  /**
   * The reply that makes the agent do what was decided, or the nearest thing it can do.
   *
   * @param environment the agent's variables. Default: those of this process.
   */
  encode(
    decision: Decision,
    event: EncodedEvent,
    degrade?: Degrade,
    environment?: NodeJS.ProcessEnv,
  ): NativeReply;
  /** True when context for the model can come with this event, whatever the event is about. */
  takesContext(event: EncodedEvent): boolean;
  /** The payload of an event that another agent sent, for hooks that were written for this one. */
  payloadOf(event: AnyEvent): NativePayload;
  /** The reply when nothing could be decided: a refusal on gates and on unknown events. */
  refuse(payload: unknown, reason: string, environment?: NodeJS.ProcessEnv): NativeReply;
}

/** The last text the model wrote, when the payload tells where to find it. */
export function lastText({ lastTexts }: Adapter, payload: NativePayload): string | undefined {
  for (const text of lastTexts?.(payload) ?? []) return text;
  return undefined;
}
