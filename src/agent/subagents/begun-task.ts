import type { TaskRequest } from "../../core/contracts/tool.ts";
import type { Transcript } from "../../core/contracts/transcript.ts";
import type { AgentMessage } from "../conversation/messages.ts";
import { storedMessages } from "../resume/stored-transcript.ts";

/** What a call had its child do before the process of the parent was killed. */
export interface BegunTask {
  /** What was said for this call, from the task on. */
  readonly said: readonly AgentMessage[];
  /** True when the child has come to its end with it, whatever that was. */
  readonly ended: boolean;
}

/**
 * What is kept of the work a call asks for; `undefined` when the child has not heard of it yet.
 *
 * @param turn_id the turn of the child that works on it.
 * @throws TenterhookError `store_damaged` for what is no message of an agent.
 */
export function begunTask(
  kept: Transcript | undefined,
  { resume_agent_id }: TaskRequest,
  turn_id: string,
): BegunTask | undefined {
  if (kept === undefined) return undefined;
  const { agent_id, status } = kept.metadata;
  const messages = storedMessages(kept.messages, agent_id);
  // Everything a child has said from the beginning it said for the call that started it.
  const from = resume_agent_id === undefined ? 0 : messages.findIndex((said) => said.turn_id === turn_id);
  const said = from < 0 ? [] : messages.slice(from);
  if (said.length === 0) return undefined;
  return { said, ended: status !== "running" && status !== "suspended" };
}
