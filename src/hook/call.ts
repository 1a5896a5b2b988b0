import type { NativeReply } from "../adapters/adapter.ts";
import type { NativeCall } from "../adapters/read-payload.ts";
import type { EventConfig } from "../config/cache/event-config.ts";
import type { LeftHook } from "../handlers/handler.ts";
import type { MakeHandler } from "../handlers/ready-hook.ts";
import type { Ask } from "../monitor/report/ask.ts";

/** Why a call is aborted that another process decides instead: the agent still waits. */
export const HANDED_OVER = new Error("Another process decides the call.");

export interface HookCall {
  /** Names the call and its event, so that a call that is decided again counts once. Default: a new id. */
  readonly id?: string | undefined;
  /** The payload as the agent sent it. */
  readonly text: string;
  /** The folder in which the agent started `tenterhook hook`; `undefined` when it was deleted. */
  readonly cwd: string | undefined;
  readonly environment: NodeJS.ProcessEnv;
  /** When the agent made the call, in milliseconds since 1970. */
  readonly time: number;
  /** The process that the agent waits for. */
  readonly pid: number;
  /** The process that started it: the agent, or a shell of the agent. */
  readonly parent: number;
  /** Aborted when the agent no longer waits. */
  readonly signal: AbortSignal;
  /** True when our module inside the agent asks, right before a call runs. It waits for no human. */
  readonly isLastGate?: true;
}

/** What decides an event. */
export interface FoundConfig {
  readonly config: EventConfig;
  /** What the user must know about a configuration that has changed. */
  readonly notice?: string;
}

/** Asynchronous hooks of a decided call. */
export interface AsyncHooks {
  readonly hooks: readonly string[];
  /** The id of the decided event: the record of how they ended belongs to it. */
  readonly event_id: string;
}

/** Where a call is decided: in the daemon, or in a process of its own. Everything that the two do differently. */
export interface Host {
  /** Whether calls of this configuration are decided here. */
  readonly takes: (config: EventConfig) => boolean;
  /** Finds what decides an event of an agent. */
  readonly findConfig: (native: NativeCall, event: string) => Promise<FoundConfig>;
  /** Makes the handlers of a call that are not made of rules. */
  readonly makeFor: (call: HookCall) => MakeHandler;
  /** Asks the monitor for the answers to what a call asks a human. */
  readonly askFor: (call: HookCall) => Ask;
  /** Takes over a program that goes on in the background. */
  readonly leave: (left: LeftHook, call: HookCall) => void | Promise<void>;
  /** Runs asynchronous hooks once the agent has its reply. */
  readonly runAsync: (hooks: AsyncHooks, call: HookCall) => void | Promise<void>;
}

/** What an agent has to read, and what is done once it has been written. */
export interface Answer {
  readonly reply: NativeReply;
  /** Notifies the monitor, starts asynchronous hooks and closes what hooks keep open. Never rejects. */
  readonly after: () => Promise<void>;
  /** What decided; `undefined` when nothing could be decided. */
  readonly config?: EventConfig;
  /** True when something still hangs that nobody waits for. */
  readonly isLate?: true;
}
