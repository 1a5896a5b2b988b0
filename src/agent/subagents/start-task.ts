import { errorMessage } from "../../core/base/error-text.ts";
import type { ToolResult } from "../../core/contracts/tool.ts";
import type { AgentStore } from "../contracts.ts";
import { misspeltTools } from "../definitions/definition.ts";
import { callsOf, textOf } from "../messages/messages.ts";
import { answerTo, shownWaiting } from "../run/session/answers.ts";
import { claimAgent } from "../run/session/claim.ts";
import { type AgentSession, emit, type Task, type TaskOptions, type Turn } from "../run/session/session.ts";
import { begunTask, refused, storedResult } from "../run/session/task-result.ts";
import { kindLines, knownKinds } from "../run/skills/kinds.ts";
import { openOwnHooks } from "../run/skills/load-skill.ts";
import { deactivate } from "../run/skills/own-hooks.ts";
import { childSession, idsOfTask, storeOfChildren } from "./child-session.ts";
import { runChild } from "./run-child.ts";
import { inSlot } from "./slots.ts";

/**
 * Starts a subagent, or continues one: the one that the call names, or the one that this very call had started when its
 * process was killed. Every failure is a result that the model can read.
 *
 * @throws TurnSuspended when the subagent waits for a human.
 */
export async function startTask(task: Task, { signal, deliverLater }: TaskOptions): Promise<ToolResult> {
  const { parent, turn, call, request } = task;
  const { limits } = parent;
  if (parent.subagents.depth + 1 >= limits.agent_depth)
    return refused(
      `Subagents may not start others here: at most ${limits.agent_depth} levels of agents are allowed.`,
    );
  const store = storeOfChildren(parent);
  const ids = taskIds(turn, call.tool_use_id);
  const { resume_agent_id: agent_id = ids.agent_id } = request;
  return oneAtATime(store, agent_id, (inBackground) =>
    startChild(task, {
      signal,
      deliverLater: (result, child) => {
        inBackground(result);
        deliverLater(result, child);
      },
      store,
      agent_id,
      turn_id: ids.turn_id,
    }),
  );
}

interface StartOptions extends TaskOptions {
  readonly store: AgentStore | undefined;
  readonly agent_id: string;
  /** The turn of the child for this task. */
  readonly turn_id: string;
}

async function startChild(
  task: Task,
  { signal, deliverLater, store, agent_id, turn_id }: StartOptions,
): Promise<ToolResult> {
  const { parent, call, request } = task;
  // Without the session the store would search all of them for a new id.
  const { session_id } = parent.identity;
  const stored = await store?.load?.(agent_id, { session_id });
  if (request.resume_agent_id !== undefined && stored?.metadata.parent_agent_id !== parent.identity.agent_id)
    return refused(`You have not started a subagent "${agent_id}".`);
  const begun = begunTask(stored, request, turn_id);
  if (stored !== undefined && begun?.ended === true) return storedResult(stored, begun.messages);
  const definitions = await knownKinds(parent, signal);
  const type = stored?.metadata.agent_type ?? request.agent_type;
  const definition = definitions.get(type);
  if (definition === undefined)
    return refused(`There is no subagent "${type}". There are:\n${kindLines(definitions.values())}`);
  if (definition.problem !== undefined) return refused(definition.problem);
  const { allowed, disallowed } = misspeltTools(definition, [...parent.toolbox.tools.keys()]);
  if (disallowed.length > 0) return refused(disallowed.join(" "));
  for (const text of [...(definition.warnings ?? []), ...allowed])
    emit(parent, { type: "notice", level: "warning", text });
  let child: AgentSession;
  let release: () => Promise<void>;
  try {
    child = await childSession(parent, {
      definition,
      agent_id,
      stored,
      store,
      tool_use_id: call.tool_use_id,
    });
    const unclaim = await claimAgent(child);
    release = async () => {
      deactivate(child);
      await unclaim();
    };
    await openOwnHooks(child).catch(async (error: unknown) => {
      await release();
      throw error;
    });
  } catch (error) {
    return refused(`The subagent can't be started: ${errorMessage(error)}`);
  }
  const { waiting } = child.pending;
  const answers =
    waiting && answerTo(parent, { ...call, type: "subagent", agent_id, waiting_for: shownWaiting(waiting) });
  const work = { child, turn_id, begun, answers, store };
  const inBackground = request.run_in_background === true;
  const run = (until: AbortSignal): Promise<ToolResult> =>
    inSlot(parent, { signal: until, inBackground }, () => runChild(task, { ...work, signal: until })).finally(
      release,
    );
  if (!inBackground) return run(signal);
  const stopped = new AbortController();
  deliverLater(run(AbortSignal.any([parent.lifetime.signal, stopped.signal])), {
    id: agent_id,
    title: request.description,
    read: (from) => spoken(child, from),
    onOutput(listener) {
      child.listeners.add(listener);
      return () => child.listeners.delete(listener);
    },
    stop: () => stopped.abort(new Error("The subagent was stopped.")),
  });
  return {
    content: `The subagent ${agent_id} works in the background; its result is delivered when it is done.`,
    data: { agent_id },
  };
}

/** What a subagent has said and called since a message. */
function spoken(
  { conversation }: AgentSession,
  from: number,
): { readonly text: string; readonly next: number } {
  const said = conversation.transcript(from).flatMap((message) => {
    if (message.role !== "assistant") return [];
    const text = textOf(message);
    const calls = callsOf(message).map(({ tool_name }) => `(calls ${tool_name})`);
    return [...(text === "" ? [] : [text]), ...calls];
  });
  return { text: said.join("\n"), next: conversation.length };
}

function taskIds(turn: Turn, tool_use_id: string) {
  const { conversation, identity } = turn.session;
  const message = conversation
    .transcript(turn.from)
    .findLast(
      (one) => one.role === "assistant" && callsOf(one).some((call) => call.tool_use_id === tool_use_id),
    );
  return idsOfTask(identity.agent_id, message?.id ?? turn.id, tool_use_id);
}

/** The subagents that are running, by store. */
const active = new WeakMap<AgentStore, Set<string>>();

/**
 * Runs a subagent unless it is running already: two runs would mix their messages in one conversation. `work` passes on what
 * continues in the background; the subagent counts as running until that is done.
 */
async function oneAtATime(
  store: AgentStore | undefined,
  agent_id: string,
  work: (inBackground: (result: Promise<ToolResult>) => void) => Promise<ToolResult>,
): Promise<ToolResult> {
  if (store === undefined) return work(() => {});
  const ids = active.get(store) ?? new Set();
  active.set(store, ids);
  if (ids.has(agent_id))
    return refused(`The subagent ${agent_id} is still at work; its result is delivered when it is done.`);
  ids.add(agent_id);
  const done = (): void => {
    ids.delete(agent_id);
  };
  let background: Promise<ToolResult> | undefined;
  try {
    return await work((result) => {
      background = result;
    });
  } finally {
    if (background === undefined) done();
    else background.then(done, done);
  }
}
