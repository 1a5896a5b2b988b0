import { errorMessage } from "../../core/base/error-text.ts";
import type { ToolResult } from "../../core/contracts/tool.ts";
import type { TranscriptStatus } from "../../core/contracts/transcript.ts";
import type { AgentSession, LateResult } from "../session/session.ts";
import { keptResult, refused } from "../subagents/task-result.ts";

/** How a subagent ends that has told what there is to tell. */
const HAS_ENDED: readonly TranscriptStatus[] = ["complete", "limit", "error"];

const UNKNOWN =
  "The process it ran in has ended, and its outcome is unknown. Find out what it has done before you repeat it.";

/**
 * Has the model told, at the next safe point, what became of the work that went on in the background when the process of
 * the agent ended: the answer of a subagent that had come to its end, of all else that its outcome is unknown, and how to
 * go on with it. Never rejects.
 */
export async function announceCutOff(session: AgentSession): Promise<void> {
  const { cut_off } = session.pending;
  session.pending.cut_off = [];
  for (const { agent_id, ...call } of cut_off) {
    const told = agent_id === undefined ? cutOff(UNKNOWN) : await ofSubagent(session, agent_id);
    session.background.done.push({ ...call, ...told });
  }
}

type Told = Pick<LateResult, "result" | "cut_off">;

async function ofSubagent({ options, identity }: AgentSession, agent_id: string): Promise<Told> {
  const { store } = options;
  try {
    const holder = await store?.holder?.(agent_id);
    if (holder !== undefined)
      return cutOff(
        `The subagent ${agent_id} still works, in process ${holder.pid} on ${holder.host}, which delivers its result to nobody. When it is done, ask it for its result: call Task with resume_agent_id "${agent_id}".`,
      );
    const kept = await store?.load?.(agent_id);
    if (kept === undefined) return cutOff(UNKNOWN);
    const { status, parent_agent_id } = kept.metadata;
    if (HAS_ENDED.includes(status)) return { result: keptResult(kept) };
    if (parent_agent_id !== identity.agent_id)
      return cutOff(
        `The subagent ${agent_id} belongs to the agent this one was forked from. Its outcome is unknown here.`,
      );
    return cutOff(
      `The subagent ${agent_id} was stopped before it had answered (${status}): the outcome of its work is unknown. Its conversation is kept: to go on with it, call Task with resume_agent_id "${agent_id}".`,
    );
  } catch (error) {
    return cutOff(
      `${UNKNOWN} The conversation of the subagent ${agent_id} can't be read: ${errorMessage(error)}`,
    );
  }
}

function cutOff(content: string): { readonly result: ToolResult; readonly cut_off: true } {
  return { result: refused(content), cut_off: true };
}
