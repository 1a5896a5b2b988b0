import { errorMessage } from "../../core/base/error-text.ts";
import type { TextResult } from "../../core/contracts/tool.ts";
import type { TranscriptStatus } from "../../core/contracts/transcript.ts";
import type { AgentSession } from "../session/session.ts";
import type { LateResult } from "../session/state.ts";
import { refused, storedResult } from "../subagents/task-result.ts";

const ENDED: readonly TranscriptStatus[] = ["complete", "limit", "error"];

const UNKNOWN =
  "The process it ran in has ended, and its outcome is unknown. Find out what it has done before you repeat it.";

/**
 * Reports, at the next safe point, the background work that the end of the process cut off: the answer of a subagent that
 * had finished, and for everything else that its outcome is unknown and how to continue it. Never rejects.
 */
export async function reportLostWork(session: AgentSession): Promise<void> {
  const { cut_off } = session.pending;
  session.pending.cut_off = [];
  for (const { agent_id, ...call } of cut_off) {
    const outcome = agent_id === undefined ? cutOff(UNKNOWN) : await ofSubagent(session, agent_id);
    session.background.done.push({ ...call, ...outcome });
  }
}

type Outcome = Pick<LateResult, "result" | "cut_off">;

async function ofSubagent({ options, identity }: AgentSession, agent_id: string): Promise<Outcome> {
  const { store } = options;
  try {
    const holder = await store?.holder?.(agent_id);
    if (holder !== undefined)
      return cutOff(
        `The subagent ${agent_id} is still running in process ${holder.pid} on ${holder.host}, and its result will not arrive here. When it is done, ask it for its result: call Task with resume_agent_id "${agent_id}".`,
      );
    const transcript = await store?.load?.(agent_id);
    if (transcript === undefined) return cutOff(UNKNOWN);
    const { status, parent_agent_id } = transcript.metadata;
    if (ENDED.includes(status)) return { result: storedResult(transcript) };
    if (parent_agent_id !== identity.agent_id)
      return cutOff(
        `The subagent ${agent_id} belongs to the agent this one was forked from. Its outcome is unknown here.`,
      );
    return cutOff(
      `The subagent ${agent_id} was stopped before it had answered (${status}): the outcome of its work is unknown. Its conversation is stored: to continue it, call Task with resume_agent_id "${agent_id}".`,
    );
  } catch (error) {
    return cutOff(
      `${UNKNOWN} The conversation of the subagent ${agent_id} can't be read: ${errorMessage(error)}`,
    );
  }
}

function cutOff(content: string): { readonly result: TextResult; readonly cut_off: true } {
  return { result: refused(content), cut_off: true };
}
