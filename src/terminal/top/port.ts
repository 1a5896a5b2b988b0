import type { AgentStatus, HumanRequest } from "../../shared/monitor/monitor.ts";

/** What the screen needs of the monitor. */
export interface TopPort {
  /** Everything as it is now. Throws when the monitor does not answer. */
  look(): Promise<Look>;
  /** What hooks decided in an agent's session, the oldest first. */
  timeline(agent: AgentStatus): Promise<readonly TimelineEntry[]>;
  /** Answers a request: one answer for each of its questions. */
  answer(request: HumanRequest, given: readonly string[], message?: string): Promise<Answered>;
  now(): number;
}

export interface Look {
  readonly agents: readonly SeenAgent[];
  /** What keeps the list from being true. */
  readonly warnings: readonly string[];
}

/** An agent, and what it asks. */
export interface SeenAgent {
  readonly agent: AgentStatus;
  /** What people call it; each has another name. */
  readonly name: string;
  /** What it does, asks or failed at, on one line. */
  readonly what: string;
  readonly asks?: Asked;
}

export interface Asked {
  readonly request: HumanRequest;
  /** `question`, `plan` and so on. */
  readonly title: string;
  /** Why it can't be answered here; absent when it can. */
  readonly elsewhere?: string;
}

/** What hooks decided about one event. */
export interface TimelineEntry {
  readonly time: string;
  /** `deny`, `ask → allowed`, `continue`. */
  readonly verdict: string;
  /** Its colour: stopped, waits for a human, or neither. */
  readonly weight: "stopped" | "asked" | "plain";
  readonly call: string;
  /** The hooks behind it, and why. */
  readonly why: string;
}

/** What became of an answer. */
export type Answered =
  | { readonly done: string }
  | { readonly problem: string }
  /** The choice needs words too. */
  | { readonly wants: "message" };
