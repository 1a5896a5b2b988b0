import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { idSequence, isoTime, systemClock } from "../../core/base/clock.ts";
import { frozenCopy } from "../../core/base/json.ts";
import type { TranscriptMetadata } from "../../core/contracts/transcript.ts";
import { createHooks } from "../../core/create-hooks.ts";
import { Grants } from "../../core/session/grants.ts";
import { agentLimits, checkOptions } from "../checks/agent-options.ts";
import { Conversation } from "../conversation/conversation.ts";
import { restore } from "../conversation/restore.ts";
import { defineTools } from "../messages/prompt.ts";
import { noUsage, usedBefore } from "../model/usage.ts";
import { type AgentParts, MEMORY_FILES } from "../options.ts";
import { sharedController } from "./session/abort.ts";
import { noActivity } from "./session/activity.ts";
import { noBackgroundWork } from "./session/background.ts";
import { newSpending } from "./session/budget.ts";
import { MemoryFiles } from "./session/memory-files.ts";
import type { AgentSession, Identity, Subagents } from "./session/session.ts";

/** Ids of messages and turns of this process. */
const sequence = idSequence(systemClock.now());

/**
 * Creates the state of an agent from its options.
 *
 * @throws TenterhookError for unknown options and invalid values.
 */
export function newSession(options: AgentParts, startTask: Subagents["start"]): AgentSession {
  checkOptions(options);
  const { hooks = createHooks(), clock = systemClock, resume } = options;
  const known: Partial<TranscriptMetadata> = resume?.metadata ?? {};
  const { session_id = known.session_id ?? randomUUID() } = options;
  // Rules and tools compare paths with it, so it must be absolute: everything is inside of ".".
  const cwd = resolve(options.cwd ?? known.cwd ?? "");
  const { mode = known.mode ?? "default" } = options;
  const { parent_agent_id = known.parent_agent_id } = options;
  const tools = new Map((options.tools ?? []).map((tool) => [tool.name, tool]));
  const owner = { session_id, agent_id: options.agent_id ?? known.agent_id ?? session_id };
  const { transcript_path = options.store?.location?.(owner) } = options;
  const restored = resume === undefined ? undefined : restore(resume, isoTime(clock.now()), tools);
  const limits = agentLimits(options.limits);
  const identity: Identity = {
    session_id,
    agent_id: owner.agent_id,
    agent_type: options.agent_type ?? known.agent_type ?? "main",
    cwd,
    turn_id: undefined,
    parent_agent_id,
    transcript_path,
  };
  return {
    options,
    ...limits,
    hooks,
    clock,
    newId: options.newId ?? sequence,
    identity,
    conversation: new Conversation(
      [...(options.transcript ?? []), ...(restored?.messages ?? [])],
      restored?.pending.unfinished?.turn_id,
    ),
    toolbox: {
      tools,
      definitions: defineTools(tools.values()),
      workspace: [cwd, ...(options.workspace ?? []).map((folder) => resolve(cwd, folder))],
      environment: options.environment ?? process.env,
      memory: new Map(),
      programs: { mark: undefined, env_file: undefined },
    },
    listeners: new Set(),
    values: new Map(),
    lifetime: sharedController(),
    usage: noUsage(),
    used_before: usedBefore(known.usage),
    spending: newSpending(usedBefore(known.usage)),
    memoryFiles: new MemoryFiles(cwd, options.memory_files ?? MEMORY_FILES),
    turnPrograms: { problems: new Map(), approved: new Set() },
    inbox: { hook_inputs: [], submitted: [], steering: [], context: [], abort: undefined },
    pending: restored?.pending ?? { cut_off: [] },
    storage: {
      unsaved: options.store === undefined ? [] : [...frozenCopy(restored?.added ?? [])],
      activity: options.store?.record === undefined ? undefined : noActivity(identity),
      claim_id: resume === undefined ? undefined : (resume.claim_id ?? null),
      used: 0,
      taken_over: false,
      checkpoint: { messages: restored?.messages.length ?? 0, time: undefined },
    },
    background: noBackgroundWork(),
    subagents: {
      start: startTask,
      depth: 0,
      parent: undefined,
      started_by: undefined,
      kinds: "",
      store: undefined,
      slots: { free: Math.max(1, limits.limits.max_concurrency), waiting: new Set() },
      waits_for: 0,
      running: new Set(),
      background: new Set(),
    },
    active: [],
    warned: new Set(),
    grants: new Grants(),
    compaction: {
      tokens: 0,
      refused_at: 0,
      floor: undefined,
      learned: Number.POSITIVE_INFINITY,
      context: {},
    },
    refused_files: new WeakSet(),
    model: typeof options.model === "string" ? undefined : options.model,
    model_agreed: false,
    fallback: options.fallback ?? [],
    mode,
    mode_before: (mode === "plan" && known.mode === "plan" ? known.mode_before : undefined) ?? "default",
    turn: undefined,
  };
}
