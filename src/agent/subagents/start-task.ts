import { errorMessage } from "../../core/error-text.ts";
import type { TaskRequest, ToolResult } from "../../core/tool.ts";
import { claimAgent } from "../claim.ts";
import { TurnEnded, TurnSuspended } from "../ended.ts";
import { decide, endedBy, show } from "../fire.ts";
import type { AgentResult } from "../items.ts";
import type { AgentStore } from "../ports.ts";
import { answerTo, shownWaiting } from "../resume/answers.ts";
import { openRun, runTurns } from "../run.ts";
import { type AgentSession, emit, type Turn } from "../session.ts";
import { addUsage } from "../usage.ts";
import { type BegunTask, begunTask } from "./begun-task.ts";
import { taskIds } from "./child-id.ts";
import { childSession } from "./child-session.ts";
import { storeOfChildren } from "./child-store.ts";
import { alone } from "./children-at-work.ts";
import { misspeltTools } from "./definition.ts";
import { kindLines, knownKinds } from "./kinds.ts";
import { keptResult, refused, taskResult } from "./task-result.ts";

/** The call a subagent is started by. */
export interface TaskCall {
  readonly tool_use_id: string;
  readonly tool_name: string;
}

/** How its work ends and is delivered. */
interface TaskOptions {
  readonly signal: AbortSignal;
  readonly deliverLater: (result: Promise<ToolResult>, agent_id: string) => void;
}

/**
 * Starts a subagent, or goes on with one: the one that is named, or the one this very call had started when its process
 * was killed. Everything that can go wrong is a result the model can read.
 *
 * @throws TurnSuspended when the subagent waits for a human.
 */
export async function startTask(
  parent: AgentSession,
  turn: Turn,
  call: TaskCall,
  request: TaskRequest,
  { signal, deliverLater }: TaskOptions,
): Promise<ToolResult> {
  const { limits } = parent;
  if (parent.depth + 1 >= limits.agent_depth)
    return refused(
      `Subagents may not start others here: at most ${limits.agent_depth} agents stand below each other.`,
    );
  const store = storeOfChildren(parent);
  const ids = taskIds(parent, turn, call.tool_use_id);
  const { resume_agent_id: agent_id = ids.agent_id } = request;
  return alone(store, agent_id, (goesOn) =>
    startChild(parent, turn, call, request, {
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
  parent: AgentSession,
  turn: Turn,
  call: TaskCall,
  request: TaskRequest,
  { signal, deliverLater, store, agent_id, turn_id }: StartOptions,
): Promise<ToolResult> {
  const { identity } = parent;
  const kept = await store?.load?.(agent_id);
  if (request.resume_agent_id !== undefined && kept?.metadata.parent_agent_id !== identity.agent_id)
    return refused(`You have started no subagent "${agent_id}".`);
  const begun = begunTask(kept, request, turn_id);
  if (kept !== undefined && begun?.ended === true) return keptResult(kept, begun.said);
  const definitions = await knownKinds(parent, signal);
  const type = kept?.metadata.agent_type ?? request.agent_type;
  const definition = definitions.get(type);
  if (definition === undefined)
    return refused(`There is no subagent "${type}". There are:\n${kindLines(definitions.values())}`);
  if (definition.problem !== undefined) return refused(definition.problem);
  const { left, taken } = misspeltTools(definition, [...parent.tools.keys()]);
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
  const waits = child.waiting === undefined ? undefined : shownWaiting(child.waiting);
  const answers =
    waits === undefined
      ? undefined
      : answerTo(parent, { ...call, type: "subagent", agent_id, waiting_for: waits });
  const work = { child, request, turn_id, begun, answers, store };
  if (request.run_in_background !== true)
    return runChild(parent, turn, call, { ...work, signal }).finally(release);
  const running = runChild(parent, turn, call, { ...work, signal: parent.lifetime.signal });
  deliverLater(running.finally(release));
  return {
    content: `The subagent ${agent_id} works in the background; its result is delivered when it is done.`,
    data: { agent_id },
  };
}

interface ChildWork {
  readonly child: AgentSession;
  readonly request: TaskRequest;
  /** The turn of the child that works on the task. */
  readonly turn_id: string;
  /** Set when that turn was cut off and is continued; else it gets the task. */
  readonly begun: BegunTask | undefined;
  readonly answers: unknown;
  readonly store: AgentStore | undefined;
  readonly signal: AbortSignal;
}

async function runChild(
  parent: AgentSession,
  turn: Turn,
  call: TaskCall,
  { child, request, turn_id: child_turn_id, begun, answers, store, signal }: ChildWork,
): Promise<ToolResult> {
  const { agent_id, agent_type } = child.identity;
  const turn_id = parent.identity.turn_id;
  const context = turn_id === undefined ? child.identity : { ...child.identity, turn_id };
  const started = await decide(
    { ...child, identity: context, rollout: parent.rollout },
    "SubagentStart",
    { task: request.task, tool_use_id: call.tool_use_id },
    { ...turn.firing, signal },
  );
  show(parent, started);
  if (started.abort !== undefined) turn.controller.abort(endedBy(started.abort, "SubagentStart"));
  if (started.abort !== undefined || started.action === "deny")
    return refused(
      `A hook did not let the subagent start: ${started.abort?.reason ?? started.reason ?? "no reason was given"}`,
    );
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
  const running = runTurns(child, input, run.aborted).finally(run.forget);
  const result = await tracked(
    request.run_in_background === true ? parent.backgroundChildren : parent.children,
    running,
  );
  addUsage(parent.usage, child.usage);
  if (request.run_in_background !== true) addUsage(turn.usage, child.usage);
  // A hook that ends the run ends what the user has started, not only the part of it that it looked at.
  if (result.stop_reason === "aborted" && request.run_in_background !== true)
    turn.controller.abort(endedIn(child, result));
  if (result.stop_reason === "suspended" && result.waiting_for !== undefined && !request.run_in_background)
    throw new TurnSuspended({ ...call, type: "subagent", agent_id, waiting_for: result.waiting_for });
  return taskResult(result, child.conversation.transcript(from), store);
}

function endedIn({ conversation, identity }: AgentSession, { text }: AgentResult): TurnEnded {
  const { last } = conversation;
  // One that was ended when its answer was there has that for its text.
  const isReason = last?.role === "assistant" && last.ended === "aborted";
  const why = isReason ? text : `A hook ended the run in the subagent ${identity.agent_type}.`;
  return new TurnEnded("aborted", why);
}

/** Where the messages begin that a child says for a call. */
function startOf({ conversation }: AgentSession, { resume_agent_id }: TaskRequest, turn_id: string): number {
  return resume_agent_id === undefined ? 0 : conversation.startOf(turn_id);
}

/** The parent does not end before its children have kept what they said last. */
async function tracked(children: Set<Promise<unknown>>, running: Promise<AgentResult>): Promise<AgentResult> {
  const ended = running.then(
    () => {},
    () => {},
  );
  children.add(ended);
  try {
    return await running;
  } finally {
    children.delete(ended);
  }
}
