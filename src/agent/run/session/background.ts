import { errorMessage } from "../../../core/base/error-text.ts";
import type { BackgroundTask, StartedTask, TextResult } from "../../../core/contracts/tool.ts";
import type { TranscriptStatus } from "../../../core/contracts/transcript.ts";
import type { ContextItem } from "../../../core/events/outcomes.ts";
import { contextOf, readResult } from "../../tools/check-result.ts";
import { append, inject, userMessage } from "./append.ts";
import { fireAnyway } from "./fire.ts";
import type { AgentSession, Turn } from "./session.ts";
import type { BackgroundWork, LateResult } from "./state.ts";
import { refused, storedResult } from "./task-result.ts";

/** A call and its agent: two agents may use the same id. */
type Caller = { readonly agent_id: string; readonly tool_use_id: string };

export function noBackgroundWork(): BackgroundWork {
  return { done: [], begun: new Set(), tasks: new Map(), heir: undefined };
}

/** Remembers a call whose work continues in the background. Returns a function that takes the result. */
export function beginWork(
  background: BackgroundWork,
  agent_id: string,
  call: Omit<LateResult, "result">,
): (given: unknown) => void {
  background.begun.add(keyOf({ ...call, agent_id }));
  return (given) => {
    const receiver = receiverOf(background);
    const { result } = readResult(given, call.tool_name);
    receiver.done.push({ ...call, result, ...(receiver === background ? {} : { agent_id }) });
  };
}

/** Lists a task, so that the model can watch and stop it. */
export function listTask({ tasks }: BackgroundWork, task: BackgroundTask, ended: Promise<unknown>): void {
  const listed = { ...task, ended, state: "running" as StartedTask["state"] };
  tasks.set(task.id, listed);
  void ended.then(() => {
    listed.state = "ended";
  });
}

/** True when this process began the work of a call and will deliver its result. */
export function hasBegun({ begun }: BackgroundWork, call: Caller): boolean {
  return begun.has(keyOf(call));
}

/** Gives results that an ended agent has not delivered to its parent. */
export function handOn(background: BackgroundWork, agent_id: string, heir: BackgroundWork): void {
  background.heir = heir;
  for (const key of background.begun) heir.begun.add(key);
  for (const [id, task] of background.tasks) receiverOf(heir).tasks.set(id, task);
  // What an earlier process began is in the transcript, and announced when that agent is resumed.
  for (const late of background.done.splice(0))
    if (late.cut_off !== true) receiverOf(heir).done.push({ agent_id, ...late });
}

function receiverOf(background: BackgroundWork): BackgroundWork {
  let receiver = background;
  while (receiver.heir !== undefined) receiver = receiver.heir;
  return receiver;
}

function keyOf({ agent_id, tool_use_id }: Caller): string {
  return JSON.stringify([agent_id, tool_use_id]);
}

/**
 * Tells the model the results of background work, in the order in which it ended. Returns false when there are none.
 *
 * @throws TurnEnded when a hook ends the run.
 */
export async function deliverLateResults(turn: Turn): Promise<boolean> {
  const { session } = turn;
  const { done } = session.background;
  if (done.length === 0) return false;
  const context: ContextItem[] = [];
  for (let late = done[0]; late !== undefined; late = done[0]) {
    const { tool_name, tool_use_id, tool_input, result, agent_id } = late;
    const tool_response = result.data ?? result.content;
    // The result is delivered even if the turn ends: it is stored nowhere else.
    const decision = await fireAnyway(
      session,
      "PostBackgroundToolUse",
      { tool_name, tool_input, tool_use_id, tool_response },
      turn.firing,
    );
    context.push(...decision.context, ...contextOf(result, tool_name));
    const how = late.cut_off === true ? "was cut off" : result.is_error === true ? "failed" : "is done";
    const whose = agent_id === undefined ? "" : ` of the subagent ${agent_id}`;
    const text = `${tool_name} (${tool_use_id})${whose}, which ran in the background, ${how}:\n${result.content}`;
    done.shift();
    const { files = [] } = result;
    const message = userMessage(session, "runtime", [{ type: "text", text }, ...files]);
    await append(session, agent_id === undefined ? { ...message, delivers: tool_use_id } : message);
    if (turn.signal.aborted) session.inbox.context.push(...context);
    turn.signal.throwIfAborted();
  }
  await inject(session, context);
  return true;
}

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
