import { randomUUID } from "node:crypto";
import { idSequence, systemClock } from "../core/clock.ts";
import { createHooks } from "../core/hooks.ts";
import { noBackgroundWork } from "./background.ts";
import { Conversation } from "./conversation.ts";
import { MemoryFiles } from "./memory-files.ts";
import { type AgentOptions, agentLimits, checkOptions } from "./options.ts";
import type { AgentSession } from "./session.ts";
import { defineTools } from "./tool-definitions.ts";
import { noUsage } from "./usage.ts";

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
  const { hooks = createHooks(), cwd = process.cwd(), session_id = randomUUID() } = options;
  const { parent_agent_id, transcript_path } = options;
  const tools = options.tools ?? [];
  return {
    options,
    limits: agentLimits(options.limits, hooks.limits),
    hooks,
    clock: options.clock ?? systemClock,
    newId: options.newId ?? sequence,
    identity: {
      session_id,
      agent_id: options.agent_id ?? session_id,
      agent_type: options.agent_type ?? "main",
      cwd,
      ...(parent_agent_id === undefined ? {} : { parent_agent_id }),
      ...(transcript_path === undefined ? {} : { transcript_path }),
    },
    conversation: new Conversation(options.transcript),
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    toolDefinitions: defineTools(tools),
    workspace: [cwd, ...(options.workspace ?? [])],
    environment: options.environment ?? process.env,
    lifetime: new AbortController(),
    values: new Map(),
    memory: new Map(),
    usage: noUsage(),
    background: noBackgroundWork(),
    memoryFiles: new MemoryFiles(cwd, options.memory_files ?? MEMORY_FILES),
    listeners: new Set(),
    queue: [],
    submitted: [],
    pending_context: [],
    pending_abort: undefined,
    fallback: options.fallback ?? [],
    model: typeof options.model === "string" ? undefined : options.model,
    mode: options.mode ?? "default",
    turn: undefined,
  };
}
