import { randomUUID } from "node:crypto";
import { idSequence, isoTime, systemClock } from "../core/clock.ts";
import { createHooks } from "../core/hooks.ts";
import type { Tool } from "../core/tool.ts";
import type { Transcript, TranscriptMetadata } from "../core/transcript.ts";
import { noBackgroundWork } from "./background.ts";
import { Conversation } from "./conversation.ts";
import { MemoryFiles } from "./memory-files.ts";
import { type AgentOptions, agentLimits, checkOptions } from "./options.ts";
import { keptMessages } from "./resume/kept-messages.ts";
import { type Restored, restore } from "./resume/unfinished.ts";
import type { AgentSession } from "./session.ts";
import { defineTools } from "./tool-definitions.ts";
import { noUsage } from "./usage.ts";
import { isKeptWaiting } from "./waiting-for.ts";

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
  const { hooks = createHooks(), resume } = options;
  const known: Partial<TranscriptMetadata> = resume?.metadata ?? {};
  const { cwd = known.cwd ?? process.cwd(), session_id = known.session_id ?? randomUUID() } = options;
  const { parent_agent_id = known.parent_agent_id } = options;
  const tools = new Map((options.tools ?? []).map((tool) => [tool.name, tool]));
  const owner = { session_id, agent_id: options.agent_id ?? known.agent_id ?? session_id };
  const { transcript_path = options.store?.location?.(owner) } = options;
  const restored = resume === undefined ? undefined : restoredFrom(options, resume, tools);
  const waiting = isKeptWaiting(known.waiting_for) ? known.waiting_for : undefined;
  return {
    options,
    ...agentLimits(options.limits),
    hooks,
    clock: options.clock ?? systemClock,
    newId: options.newId ?? sequence,
    identity: {
      ...owner,
      agent_type: options.agent_type ?? known.agent_type ?? "main",
      cwd,
      ...(parent_agent_id === undefined ? {} : { parent_agent_id }),
      ...(transcript_path === undefined ? {} : { transcript_path }),
    },
    conversation: new Conversation(restored?.messages ?? options.transcript, restored?.unfinished?.turn_id),
    tools,
    toolDefinitions: defineTools(tools.values()),
    workspace: [cwd, ...(options.workspace ?? [])],
    environment: options.environment ?? process.env,
    lifetime: new AbortController(),
    programs: { mark: undefined },
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
    unkept: restored?.added ?? [],
    unfinished: restored?.unfinished,
    waiting,
    answers: new Map(),
    checkpoint: { messages: restored?.messages.length ?? 0, time: undefined },
    compaction: { tokens: 0, refused_at: 0 },
    depth: 0,
    childStore: undefined,
    children: new Set(),
    backgroundChildren: new Set(),
  };
}

/** A kept conversation made whole. Calls that waited for a human have not run, whatever their tool is. */
function restoredFrom(
  { clock = systemClock }: AgentOptions,
  { metadata, messages }: Transcript,
  tools: ReadonlyMap<string, Tool>,
): Restored {
  const { status, waiting_for } = metadata;
  const notStarted = new Set(isKeptWaiting(waiting_for) ? waiting_for.not_started : []);
  return restore(keptMessages(messages, metadata.agent_id), {
    status,
    mayRun: ({ tool_name, tool_use_id }) =>
      notStarted.has(tool_use_id) || tools.get(tool_name)?.replay === "safe",
    now: isoTime(clock.now()),
  });
}
