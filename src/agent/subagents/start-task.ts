import { errorMessage } from "../../core/base/error-text.ts";
import type { ToolResult } from "../../core/contracts/tool.ts";
import type { AgentStore } from "../contracts.ts";
import { answerTo, shownWaiting } from "../resume/answers.ts";
import { claimAgent } from "../session/claim.ts";
import { type AgentSession, emit, type Task, type TaskOptions } from "../session/session.ts";
import { begunTask } from "./begun-task.ts";
import { taskIds } from "./child-id.ts";
import { childSession } from "./child-session.ts";
import { storeOfChildren } from "./child-store.ts";
import { alone } from "./children-at-work.ts";
import { misspeltTools } from "./definition.ts";
import { kindLines, knownKinds } from "./kinds.ts";
import { runChild } from "./run-child.ts";
import { refused, storedResult } from "./task-result.ts";

/**
 * Starts a subagent, or goes on with one: the one that is named, or the one this very call had started when its process
 * was killed. Everything that can go wrong is a result the model can read.
 *
 * @throws TurnSuspended when the subagent waits for a human.
 */
export async function startTask(task: Task, { signal, deliverLater }: TaskOptions): Promise<ToolResult> {
  const { parent, turn, call, request } = task;
  const { limits } = parent;
  if (parent.subagents.depth + 1 >= limits.agent_depth)
    return refused(
      `Subagents may not start others here: at most ${limits.agent_depth} agents stand below each other.`,
    );
  const store = storeOfChildren(parent);
  const ids = taskIds(parent, turn, call.tool_use_id);
  const { resume_agent_id: agent_id = ids.agent_id } = request;
  return alone(store, agent_id, (goesOn) =>
    startChild(task, {
      signal,
      deliverLater: (result) => {
        goesOn(result);
        deliverLater(result, agent_id);
      },
      store,
      agent_id,
      turn_id: ids.turn_id,
    }),
  );
}

interface StartOptions {
  readonly signal: AbortSignal;
  readonly deliverLater: (result: Promise<ToolResult>) => void;
  readonly store: AgentStore | undefined;
  readonly agent_id: string;
  /** The turn of the child that works on the task. */
  readonly turn_id: string;
}

async function startChild(
  task: Task,
  { signal, deliverLater, store, agent_id, turn_id }: StartOptions,
): Promise<ToolResult> {
  const { parent, call, request } = task;
  // A new one is in no session, and there may be thousands to look through.
  const { session_id } = parent.identity;
  const kept = await store?.load?.(agent_id, { session_id });
  if (request.resume_agent_id !== undefined && kept?.metadata.parent_agent_id !== parent.identity.agent_id)
    return refused(`You have started no subagent "${agent_id}".`);
  const begun = begunTask(kept, request, turn_id);
  if (kept !== undefined && begun?.ended === true) return storedResult(kept, begun.said);
  const definitions = await knownKinds(parent, signal);
  const type = kept?.metadata.agent_type ?? request.agent_type;
  const definition = definitions.get(type);
  if (definition === undefined)
    return refused(`There is no subagent "${type}". There are:\n${kindLines(definitions.values())}`);
  if (definition.problem !== undefined) return refused(definition.problem);
  const { left, taken } = misspeltTools(definition, [...parent.toolbox.tools.keys()]);
  if (taken.length > 0) return refused(taken.join(" "));
  for (const text of [...(definition.warnings ?? []), ...left])
    emit(parent, { type: "notice", level: "warning", text });
  let child: AgentSession;
  let release: () => Promise<void>;
  try {
    child = await childSession(parent, { definition, agent_id, kept, store, tool_use_id: call.tool_use_id });
    release = await claimAgent(child);
  } catch (error) {
    return refused(`The subagent can't be started: ${errorMessage(error)}`);
  }
  const { waiting } = child.pending;
  const waits = waiting === undefined ? undefined : shownWaiting(waiting);
  const answers =
    waits === undefined
      ? undefined
      : answerTo(parent, { ...call, type: "subagent", agent_id, waiting_for: waits });
  const work = { child, turn_id, begun, answers, store };
  if (request.run_in_background !== true) return runChild(task, { ...work, signal }).finally(release);
  deliverLater(runChild(task, { ...work, signal: parent.lifetime.signal }).finally(release));
  return {
    content: `The subagent ${agent_id} works in the background; its result is delivered when it is done.`,
    data: { agent_id },
  };
}
