import { isRecord } from "../../core/base/json.ts";
import type { Tool } from "../../core/contracts/tool.ts";
import type { ToolInput } from "../../core/contracts/tool-types.ts";
import type { Transcript, TranscriptMetadata } from "../../core/contracts/transcript.ts";
import type { TurnInput } from "../items.ts";
import {
  type AgentMessage,
  type BackgroundMark,
  callsOf,
  isSummary,
  type MessageFromAssistant,
  type MessageFromTool,
  type ToolCallPart,
} from "../messages/messages.ts";
import { isPromptInput } from "../messages/prompt-input.ts";
import { type Repaired, repairMessages } from "../messages/repair-messages.ts";
import { isStoredWaiting, type StoredWaiting } from "../waiting-for.ts";
import { storedMessages } from "./stored-transcript.ts";

/** A turn that did not end. */
export interface Unfinished {
  readonly turn_id: string;
  /** Calls to run before the model call. */
  readonly rerun: readonly ToolCallPart[];
  /** An answer that Stop hooks have not seen. */
  readonly answer?: MessageFromAssistant;
}

/** What an earlier run, perhaps of another process, has left to do. */
export interface PendingWork {
  /** An input that is not a message yet. */
  unheard?: Unheard | undefined;
  /** A turn that was cut off or waits for a human. */
  unfinished?: Unfinished | undefined;
  /** Background work that ended with its process, until the model is notified. */
  cut_off: readonly CutOff[];
  /**
   * What a suspended agent waits for, and what humans have answered, until the calls that waited have results. A fork does not
   * wait for a subagent of the original, which it can't reach: it starts its own.
   */
  waiting?: StoredWaiting | undefined;
  /** The same once one of those calls has begun: it names the others. */
  not_begun?: StoredWaiting | undefined;
}

/** A repaired transcript, and what is left to do. */
interface Restored {
  readonly messages: readonly AgentMessage[];
  /** The messages that the store does not have. */
  readonly added: readonly MessageFromTool[];
  readonly pending: PendingWork;
}

/**
 * Repairs a stored conversation and finds where its last turn stopped. Calls that waited for a human have not run,
 * whatever their tool is.
 *
 * @throws TenterhookError `store_damaged` for an invalid message.
 */
export function restore(
  transcript: Transcript,
  now: string,
  tools: ReadonlyMap<string, Pick<Tool, "replay">> = new Map(),
): Restored {
  const { status, waiting_for, agent_id } = transcript.metadata;
  const waited = isStoredWaiting(waiting_for) ? waiting_for : undefined;
  const { type, tool_use_id: asking = "", waiting_agent_id = agent_id, not_started = [] } = waited ?? {};
  const mayRun = ({ tool_name, tool_use_id }: ToolCallPart): boolean =>
    not_started.includes(tool_use_id) || tools.get(tool_name)?.replay === "safe";
  const stored = storedMessages(transcript.messages, agent_id);
  const { messages, added, rerun, next } = repairMessages(stored, { mayRun, now });
  const open = rerun.map(({ tool_use_id }) => tool_use_id);
  const waits = open.includes(asking) && (type !== "subagent" || waiting_agent_id === agent_id);
  const isLeft = open.some((tool_use_id) => not_started.includes(tool_use_id));
  const pending: PendingWork = {
    unheard: unheardIn(transcript),
    unfinished: unfinishedIn(messages, { rerun, next, status }),
    cut_off: cutOffIn(messages),
    waiting: waits ? waited : undefined,
    not_begun: isLeft && !waits ? waited : undefined,
  };
  return { messages, added, pending };
}

function unfinishedIn(
  messages: readonly AgentMessage[],
  { rerun, next, status }: Pick<Repaired, "rerun" | "next"> & Pick<TranscriptMetadata, "status">,
): Unfinished | undefined {
  const last = messages.findLast((message) => !isSummary(message));
  if (last === undefined) return undefined;
  const { turn_id } = last;
  if (next !== "user") return { turn_id, rerun };
  const unseen = status === "running" && last.role === "assistant" && last.ended === undefined;
  return unseen ? { turn_id, rerun, answer: last } : undefined;
}

/** What is left to do of a stored conversation. */
export interface StoredState {
  readonly unfinished: boolean;
  /** What a human has to answer first. */
  readonly waiting: StoredWaiting | undefined;
}

/**
 * Finds out what is left to do.
 *
 * @throws TenterhookError `store_damaged` for an invalid message.
 */
export function storedState(transcript: Transcript): StoredState {
  if (unheardIn(transcript) !== undefined) return { unfinished: true, waiting: undefined };
  const { unfinished, waiting } = restore(transcript, transcript.metadata.updated_at).pending;
  return { unfinished: unfinished !== undefined, waiting };
}

/** The input of an agent until it is a message of the conversation. */
export interface Unheard {
  readonly turn_id: string;
  readonly input: Extract<TurnInput, { readonly type: "prompt" | "hook_input" }>;
}

/** The stored input of an agent that was killed before it became a message. */
function unheardIn({ metadata, messages }: Transcript): Unheard | undefined {
  const { unheard } = metadata;
  if (!isUnheard(unheard)) return undefined;
  const isMessage = messages.some((message) => "turn_id" in message && message.turn_id === unheard.turn_id);
  return isMessage ? undefined : unheard;
}

function isUnheard(value: unknown): value is Unheard {
  if (!isRecord(value) || typeof value.turn_id !== "string" || !isRecord(value.input)) return false;
  const { type, input } = value.input;
  if (type === "prompt") return isPromptInput(value.input);
  return (
    type === "hook_input" &&
    isRecord(input) &&
    typeof input.hook === "string" &&
    typeof input.text === "string"
  );
}

/** A call whose work continued in the background and whose result no message has. */
export interface CutOff extends BackgroundMark {
  readonly tool_name: string;
  readonly tool_use_id: string;
  readonly tool_input: ToolInput;
}

/** The background work without a result in a transcript, in the order in which it began. */
function cutOffIn(messages: readonly AgentMessage[]): readonly CutOff[] {
  const inputs = new Map<string, ToolInput>();
  const open = new Map<string, CutOff>();
  for (const message of messages) {
    if (message.role === "assistant")
      for (const { tool_use_id, tool_input } of callsOf(message)) inputs.set(tool_use_id, tool_input);
    else if (message.role === "user") {
      if (message.delivers !== undefined) open.delete(message.delivers);
    } else {
      const [{ tool_use_id, tool_name, in_background }] = message.parts;
      if (in_background === undefined) continue;
      open.set(tool_use_id, {
        tool_name,
        tool_use_id,
        tool_input: inputs.get(tool_use_id) ?? {},
        ...in_background,
      });
    }
  }
  return [...open.values()];
}
