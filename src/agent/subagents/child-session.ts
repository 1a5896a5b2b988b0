import { createHash } from "node:crypto";
import type { Tool } from "../../core/contracts/tool.ts";
import type { Transcript } from "../../core/contracts/transcript.ts";
import type { AgentStore } from "../contracts.ts";
import { limitModes } from "../conversation/stored-transcript.ts";
import { type AgentDefinition, allowsTool } from "../definitions/definition.ts";
import { type AgentMessage, callsOf } from "../messages/messages.ts";
import type { AgentParts } from "../options.ts";
import { resolveModel } from "../run/model-calls/switch.ts";
import { newSession } from "../run/open-session.ts";
import { hasBegun } from "../run/session/background.ts";
import type { AgentSession } from "../run/session/session.ts";

export interface ChildPlan {
  readonly definition: AgentDefinition;
  readonly agent_id: string;
  /** The call that starts it. */
  readonly tool_use_id: string;
  /** Set when it is resumed. */
  readonly stored: Transcript | undefined;
  readonly store: AgentStore | undefined;
}

/**
 * Creates the state of a subagent. It has the hooks, permissions, sandbox, limits, mode and humans of its parent; its
 * definition can only take tools and iterations away.
 *
 * @throws TenterhookError `model_unavailable`; `store_damaged` for a transcript that can't be read.
 */
export async function childSession(parent: AgentSession, plan: ChildPlan): Promise<AgentSession> {
  const { definition, agent_id, stored, store } = plan;
  const { identity, limits, hook_limits, memoryFiles, values, lifetime, subagents } = parent;
  // Not inherited: identity, conversation and store of the parent.
  const { resume: _, transcript: _messages, source: _source, store: _store, ...others } = parent.options;
  const { own_hooks: _own, ...rest } = others;
  const { transcript_path: _path, model_name, ...inherited } = rest;
  const { prompt = inherited.system_prompt, max_iterations = limits.iterations } = definition;
  // It continues open work in its own mode, which must not be looser than its parent's.
  const resume = stored && limitModes(stored, parent.mode);
  const { status, mode } = resume?.metadata ?? {};
  const ownMode = status === "running" || status === "suspended" ? mode : undefined;
  const model = definition.model ?? parent.model ?? inherited.model;
  const options: AgentParts = {
    ...inherited,
    model,
    ...(model_name === undefined || model !== inherited.model ? {} : { model_name }),
    fallback: parent.fallback,
    tools: childTools(parent, definition),
    hooks: parent.hooks,
    limits: { ...hook_limits, ...limits, iterations: Math.min(limits.iterations, max_iterations) },
    mode: ownMode ?? parent.mode,
    session_id: identity.session_id,
    agent_id,
    agent_type: definition.name,
    parent_agent_id: identity.agent_id,
    cwd: identity.cwd,
    memory_files: [],
    ...(definition.fork_context === true ? { transcript: conversationBefore(parent, agent_id) } : {}),
    ...(definition.hooks === undefined ? {} : { own_hooks: [definition.hooks] }),
    system_prompt: prompt,
    store,
    resume,
  };
  const session = newSession(options, subagents.start);
  session.model ??= await resolveModel(parent, options.model);
  const { pending } = session;
  for (const { agents } of parent.active) agents.add(agent_id);
  return {
    ...session,
    active: [...parent.active],
    // Hooks are asked about it before the child starts, unless it is the parent's.
    model_agreed: true,
    memoryFiles,
    values,
    toolbox: { ...session.toolbox, programs: parent.toolbox.programs },
    // It leaves plan mode to the same mode as its parent.
    mode_before: stored === undefined ? parent.mode_before : session.mode_before,
    lifetime,
    warned: parent.warned,
    spending: parent.spending,
    grants: parent.grants,
    pending: {
      ...pending,
      cut_off: pending.cut_off.filter(
        ({ tool_use_id }) => !hasBegun(parent.background, { agent_id, tool_use_id }),
      ),
    },
    subagents: {
      ...session.subagents,
      depth: subagents.depth + 1,
      parent,
      started_by: plan.tool_use_id,
      store,
      slots: subagents.slots,
      // Background subagents at all levels end with the session.
      background: subagents.background,
    },
  };
}

function childTools(
  { toolbox, subagents, limits }: AgentSession,
  definition: AgentDefinition,
): readonly Tool[] {
  const deepest = subagents.depth + 2 >= limits.agent_depth;
  return [...toolbox.tools.values()].filter(
    (tool) => allowsTool(definition, tool) && !(deepest && tool.name === "Task"),
  );
}

/** Stores that were created because the agent has none: they last as long as the agent. */
const temporary = new WeakSet<AgentStore>();

/** The store of an agent's subagents: its own, or a temporary one. */
export function storeOfChildren({ subagents, options }: AgentSession): AgentStore | undefined {
  if (subagents.store === undefined && options.store === undefined) {
    subagents.store = options.childStore?.();
    if (subagents.store !== undefined) temporary.add(subagents.store);
  }
  subagents.store ??= options.store;
  return subagents.store;
}

export function outlivesAgent(store: AgentStore | undefined): boolean {
  return store !== undefined && !temporary.has(store);
}

/** The ids of a child and its turn follow from the call: in a new process the same call finds its child and its work. */
export function idsOfTask(
  agent_id: string,
  message_id: string,
  tool_use_id: string,
): { readonly agent_id: string; readonly turn_id: string } {
  const digest = createHash("sha256")
    .update(JSON.stringify([agent_id, message_id, tool_use_id]))
    .digest("hex")
    .slice(0, 24);
  return { agent_id: `sub-${digest}`, turn_id: `task-${digest}` };
}

/** The conversation of an agent before the answer that started a child; the child's id says which one that was. */
function conversationBefore(
  { conversation, identity }: AgentSession,
  child_id: string,
): readonly AgentMessage[] {
  const messages = conversation.transcript();
  const at = messages.findIndex(
    (message) =>
      message.role === "assistant" &&
      callsOf(message).some(
        ({ tool_use_id }) => idsOfTask(identity.agent_id, message.id, tool_use_id).agent_id === child_id,
      ),
  );
  return messages.slice(0, Math.max(at, 0));
}
