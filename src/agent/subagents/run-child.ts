import type { TaskRequest, ToolResult } from "../../core/contracts/tool.ts";
import type { AgentStore } from "../contracts.ts";
import type { AgentResult } from "../items.ts";
import { addUsage } from "../model/usage.ts";
import { refusedChildModel } from "../run/model-calls/switch.ts";
import { openRun, runTurns } from "../run/run.ts";
import { traceRun } from "../run/run-span.ts";
import { handOn } from "../run/session/background.ts";
import { fireAnyway } from "../run/session/fire.ts";
import { type AgentSession, emit, type Task } from "../run/session/session.ts";
import { type BegunTask, refused, taskResult } from "../run/session/task-result.ts";
import { TurnEnded, TurnSuspended } from "../turn-ended.ts";
import { outlivesAgent } from "./child-session.ts";

interface ChildWork {
  readonly child: AgentSession;
  /** The turn of the child for this task. */
  readonly turn_id: string;
  /** Set when that turn was cut off and continues. */
  readonly begun: BegunTask | undefined;
  readonly answers: unknown;
  readonly store: AgentStore | undefined;
  readonly signal: AbortSignal;
}

/**
 * Runs a child until it ends or its signal is aborted.
 *
 * @throws TurnEnded when it waits for a human or a higher budget; then its parent waits too.
 */
export async function runChild(
  { parent, turn, call, request }: Task,
  { child, turn_id: child_turn_id, begun, answers, store, signal }: ChildWork,
): Promise<ToolResult> {
  const { agent_id, agent_type } = child.identity;
  // The parent fires the child's first events in its own turn.
  const { turn_id } = parent.identity;
  const starting: AgentSession = { ...parent, identity: { ...child.identity, turn_id } };
  const firing = { ...turn.firing, signal };
  const started = await fireAnyway(
    starting,
    "SubagentStart",
    { task: request.task, tool_use_id: call.tool_use_id },
    firing,
  );
  if (started.abort !== undefined || started.action === "deny")
    return refused(
      `A hook did not let the subagent start: ${started.abort?.reason ?? started.reason ?? "no reason was given"}`,
    );
  const refusal = await refusedChildModel(starting, child.model, firing);
  if (refusal !== undefined) return refused(refusal);
  const { description } = request;
  child.listeners.add((item) => {
    emit(parent, { type: "subagent", agent_id, agent_type, description, item });
  });
  const input =
    begun === undefined
      ? ({ type: "task", text: request.task, context: started.context, turn_id: child_turn_id } as const)
      : ({ type: "continue", answers } as const);
  const from = begun === undefined ? child.conversation.length : startOf(child, request, child_turn_id);
  const run = openRun(signal);
  const running = traceRun(child, () => runTurns(child, input, run.controller.signal)).finally(() => {
    run.forget();
    handOn(child.background, agent_id, parent.background);
  });
  const inBackground = request.run_in_background === true;
  const result = await tracked(
    inBackground ? parent.subagents.background : parent.subagents.running,
    running,
  );
  const { stop_reason, waiting_for } = result;
  if (!inBackground) {
    addUsage(turn.usage, child.usage);
    // A hook that ends the run ends all of it, not only the subagent.
    if (stop_reason === "aborted") turn.controller.abort(endedIn(child, result));
    if (stop_reason === "suspended" && waiting_for !== undefined)
      throw new TurnSuspended({ ...call, type: "subagent", agent_id, waiting_for });
    if (stop_reason === "budget") throw new TurnEnded("budget", result.text);
  }
  return taskResult(result, child.conversation.transcript(from), outlivesAgent(store));
}

function endedIn({ conversation, identity }: AgentSession, { text }: AgentResult): TurnEnded {
  const { last } = conversation;
  // If it was ended after its answer, the text is that answer.
  const isReason = last?.role === "assistant" && last.ended === "aborted";
  const why = isReason ? text : `A hook ended the run in the subagent ${identity.agent_type}.`;
  return new TurnEnded("aborted", why);
}

function startOf(
  { conversation, options }: AgentSession,
  { resume_agent_id }: TaskRequest,
  turn_id: string,
): number {
  if (resume_agent_id !== undefined) return conversation.startOf(turn_id);
  return options.transcript?.length ?? 0;
}

/** Registers a child, so that the parent waits until its last messages are stored. */
async function tracked(children: Set<Promise<unknown>>, running: Promise<AgentResult>): Promise<AgentResult> {
  const ended = running.catch(() => {});
  children.add(ended);
  try {
    return await running;
  } finally {
    children.delete(ended);
  }
}

/** Warns that subagents in the background end with the session, before they are done. */
export function notifyStopped(session: AgentSession): void {
  const { size } = session.subagents.background;
  if (size === 0) return;
  const who = size === 1 ? "A subagent in the background was" : `${size} subagents in the background were`;
  const next =
    session.options.store === undefined
      ? ""
      : " When the session is resumed, its agent reads how to continue them.";
  emit(session, {
    type: "notice",
    level: "warning",
    text: `${who} stopped with the session, before the work was done.${next}`,
  });
}
