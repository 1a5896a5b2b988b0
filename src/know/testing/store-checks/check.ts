import { deepStrictEqual } from "node:assert";
import { setTimeout as sleep } from "node:timers/promises";
import { isTenterhookError } from "../../../core/base/errors.ts";
import type { TranscriptOwner, TranscriptStore } from "../../../core/contracts/transcript.ts";

/** Checks a store; `again` opens its place once more. */
export type Check = (store: TranscriptStore, again: () => Promise<TranscriptStore>) => Promise<void>;

/** Checks by the sentences that they prove. */
export type Checks = Readonly<Record<string, Check>>;

/** The agent that is a session by itself. */
export const ROOT: TranscriptOwner = {
  session_id: "s1",
  agent_id: "s1",
  agent_type: "main",
  cwd: "/project",
};

export const CHILD: TranscriptOwner = {
  session_id: "s1",
  agent_id: "child",
  parent_agent_id: "s1",
  agent_type: "explore",
  cwd: "/project",
};

/** A message of a turn. */
export function message(id: string, turn_id = "turn-1") {
  return { id, turn_id, role: "user", parts: [{ type: "text", text: `text of ${id}` }] };
}

/** Compares as JSON: a key without a value is as good as none. */
export function same(actual: unknown, expected: unknown): void {
  deepStrictEqual(asJson(actual), asJson(expected));
}

function asJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/** The code that a promise rejects with; the error itself when that has none. */
export async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
    return "no error";
  } catch (error) {
    return isTenterhookError(error) ? error.code : error;
  }
}

export async function idsIn(store: TranscriptStore, agent_id: string): Promise<unknown> {
  return (await store.load(agent_id))?.messages.map(({ id }) => id);
}

/** Waits until another time would be stored. */
export async function later(): Promise<Date> {
  const start = Date.now();
  while (Date.now() <= start) await sleep(1);
  return new Date();
}
