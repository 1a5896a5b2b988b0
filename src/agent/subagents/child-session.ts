import type { Tool } from "../../core/contracts/tool.ts";
import type { Transcript } from "../../core/contracts/transcript.ts";
import type { AgentStore } from "../contracts.ts";
import { hasBegun } from "../loop/background.ts";
import { resolveModel } from "../model/switch.ts";
import type { AgentOptions } from "../options.ts";
import { limitModes } from "../resume/stored-transcript.ts";
import { newSession } from "../session/open-session.ts";
import type { AgentSession } from "../session/session.ts";
import { type AgentDefinition, allowsTool } from "./definition.ts";

/** Which child it is. */
export interface ChildPlan {
  readonly definition: AgentDefinition;
  readonly agent_id: string;
  /** The call it is started by. */
  readonly tool_use_id: string;
  /** What is kept of it, when it goes on. */
  readonly kept: Transcript | undefined;
  readonly store: AgentStore | undefined;
}

/**
 * Makes the state of a child. It has the hooks, permissions, sandbox, limits, mode and humans of its parent, whatever its
 * definition says: that can only take tools and rounds away.
 *
 * @throws TenterhookError `model_unavailable`; `store_damaged` for a transcript that can't be read.
 */
export async function childSession(parent: AgentSession, plan: ChildPlan): Promise<AgentSession> {
  const { definition, agent_id, kept, store } = plan;
  const { identity, limits, hook_limits, memoryFiles, values, lifetime, subagents } = parent;
  // What is the parent's alone: who it is, its conversation, its own store of children.
  const { resume: _, transcript: _messages, source: _source, store: _store, ...rest } = parent.options;
  const { transcript_path: _path, model_name, ...inherited } = rest;
  const { prompt = inherited.system_prompt, max_iterations = limits.iterations } = definition;
  // What it had begun it goes on with in its own mode, which is no looser than its parent's.
  const resume = kept === undefined ? undefined : limitModes(kept, parent.mode);
  const ownMode = resume !== undefined && isOpen(resume) ? resume.metadata.mode : undefined;
  const model = definition.model ?? parent.model ?? inherited.model;
  const options: AgentOptions = {
    ...inherited,
    model,
    // The name the parent's model can be opened by is no other model's.
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
    ...(prompt === undefined ? {} : { system_prompt: prompt }),
    ...(store === undefined ? {} : { store }),
    ...(resume === undefined ? {} : { resume }),
  };
  const session = newSession(options, subagents.start);
  session.model ??= await resolveModel(parent, options.model);
  const { pending } = session;
  return {
    ...session,
    memoryFiles,
    values,
    toolbox: { ...session.toolbox, programs: parent.toolbox.programs },
    // Out of plan mode a child comes into no other mode than its parent would.
    mode_before: kept === undefined ? parent.mode_before : session.mode_before,
    lifetime,
    pending: {
      ...pending,
      cut_off: pending.cut_off.filter(
        ({ tool_use_id }) => !hasBegun(parent.background, { agent_id, tool_use_id }),
      ),
    },
    subagents: {
      ...session.subagents,
      depth: subagents.depth + 1,
      started_by: plan.tool_use_id,
      store,
      // They end with the session, and it with them, whoever started them.
      background: subagents.background,
    },
  };
}

function isOpen({ metadata }: Transcript): boolean {
  return metadata.status === "running" || metadata.status === "suspended";
}

function childTools(
  { toolbox, subagents, limits }: AgentSession,
  definition: AgentDefinition,
): readonly Tool[] {
  const deepest = subagents.depth + 2 >= limits.agent_depth;
  return [...toolbox.tools.values()].filter(
    ({ name }) => allowsTool(definition, name) && !(deepest && name === "Task"),
  );
}
