import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { idSequence, isoTime, systemClock } from "../../core/base/clock.ts";
import type { TranscriptMetadata } from "../../core/contracts/transcript.ts";
import { createHooks } from "../../core/create-hooks.ts";
import { Conversation } from "../conversation/conversation.ts";
import { noRollout } from "../conversation/rollout.ts";
import { sharedController } from "../loop/abort.ts";
import { noBackgroundWork } from "../loop/background.ts";
import { defineTools } from "../model/tool-definitions.ts";
import { noUsage, usedBefore } from "../model/usage.ts";
import { type AgentOptions, agentLimits, checkOptions } from "../options.ts";
import { cutOffIn } from "../resume/cut-off.ts";
import { notBegunIn, restoredFrom, waitingIn } from "../resume/kept-state.ts";
import { unheardIn } from "../resume/unheard.ts";
import { MemoryFiles } from "../tool-calls/memory-files.ts";
import type { AgentSession, Identity } from "./session.ts";

const MEMORY_FILES = ["AGENTS.md", "CLAUDE.md"];

/** Ids of messages and turns of this process. */
const sequence = idSequence(systemClock.now());

/**
 * Makes the state of an agent from its options.
 *
 * @throws TenterhookError for options nobody reads or with values they can't have.
 */
export function newSession(options: AgentOptions): AgentSession {
  checkOptions(options);
  const { hooks = createHooks(), clock = systemClock, resume } = options;
  const known: Partial<TranscriptMetadata> = resume?.metadata ?? {};
  const { session_id = known.session_id ?? randomUUID() } = options;
  // What rules and tools compare paths with has to be whole: from "." everything would be inside the workspace.
  const cwd = resolve(options.cwd ?? known.cwd ?? "");
  const { mode = known.mode ?? "default" } = options;
  const { parent_agent_id = known.parent_agent_id } = options;
  const tools = new Map((options.tools ?? []).map((tool) => [tool.name, tool]));
  const owner = { session_id, agent_id: options.agent_id ?? known.agent_id ?? session_id };
  const { transcript_path = options.store?.location?.(owner) } = options;
  const restored = resume === undefined ? undefined : restoredFrom(resume, isoTime(clock.now()), tools);
  const waiting = resume === undefined || restored === undefined ? undefined : waitingIn(resume, restored);
  const identity: Identity = {
    session_id,
    agent_id: owner.agent_id,
    agent_type: options.agent_type ?? known.agent_type ?? "main",
    cwd,
    turn_id: undefined,
    parent_agent_id,
    transcript_path,
  };
  const { limits, hook_limits } = agentLimits(options.limits);
  return {
    options,
    limits,
    hook_limits,
    hooks,
    clock,
    newId: options.newId ?? sequence,
    identity,
    conversation: new Conversation(restored?.messages ?? options.transcript, restored?.unfinished?.turn_id),
    tools,
    toolDefinitions: defineTools(tools.values()),
    kinds: "",
    workspace: [cwd, ...(options.workspace ?? []).map((folder) => resolve(cwd, folder))],
    environment: options.environment ?? process.env,
    lifetime: sharedController(),
    programs: { mark: undefined },
    values: new Map(),
    memory: new Map(),
    usage: noUsage(),
    used_before: usedBefore(known.usage),
    background: noBackgroundWork(),
    memoryFiles: new MemoryFiles(cwd, options.memory_files ?? MEMORY_FILES),
    listeners: new Set(),
    unfollow: undefined,
    turnHookProblems: new Map(),
    approvedPrograms: new Set(),
    queue: [],
    submitted: [],
    pending_context: [],
    pending_abort: undefined,
    fallback: options.fallback ?? [],
    model: typeof options.model === "string" ? undefined : options.model,
    mode,
    mode_before: (mode === "plan" && known.mode === "plan" ? known.mode_before : undefined) ?? "default",
    turn: undefined,
    unkept: options.store === undefined ? [] : [...(restored?.added ?? [])],
    rollout: options.store?.record === undefined ? undefined : noRollout(identity),
    unheard: resume === undefined ? undefined : unheardIn(resume),
    unfinished: restored?.unfinished,
    cut_off: cutOffIn(restored?.messages ?? []),
    waiting,
    not_begun: resume === undefined || waiting !== undefined ? undefined : notBegunIn(resume, restored),
    checkpoint: { messages: restored?.messages.length ?? 0, time: undefined },
    compaction: { tokens: 0, refused_at: 0 },
    claim_id: resume === undefined ? undefined : (resume.claim_id ?? null),
    taken_over: false,
    depth: 0,
    started_by: undefined,
    childStore: undefined,
    children: new Set(),
    backgroundChildren: new Set(),
  };
}
