import { errorMessage } from "../../core/base/error-text.ts";
import type { PermissionMode, Tool } from "../../core/contracts/tool.ts";
import type { TranscriptChanges, TranscriptStatus } from "../../core/contracts/transcript.ts";
import type { ToolCallPart } from "../conversation/messages.ts";
import { writeRollout } from "../conversation/rollout.ts";
import type { AgentResult, StopReason } from "../items.ts";
import { storeFailed, takenOver } from "../loop/turn-ended.ts";
import { inputText, type TurnInput } from "../loop/turn-input.ts";
import { type AgentModel, modelName } from "../model/agent-model.ts";
import { sessionUsage } from "../model/usage.ts";
import type { Unheard } from "../resume/unheard.ts";
import { type AgentSession, emit } from "./session.ts";

/** How an agent is doing, by how its run ended. */
export const STATUS = {
  complete: "complete",
  limit: "limit",
  cancelled: "cancelled",
  denied: "cancelled",
  aborted: "cancelled",
  error: "error",
  suspended: "suspended",
} as const satisfies Readonly<Record<StopReason, TranscriptStatus>>;

const LONGEST_TITLE = 80;

/** Keeps that the agent is at work, and at what: one whose process is killed stays so. */
export function saveRunning(session: AgentSession, input: TurnInput, turn_id: string): Promise<void> {
  const { model, conversation, mode, mode_before } = session;
  const { waiting = session.not_begun } = session;
  const unheard = isWords(input) && input !== session.unheard?.input ? { turn_id, input } : session.unheard;
  const text = input.type === "continue" || conversation.length > 0 ? "" : inputText(input);
  return save(session, {
    status: "running",
    mode,
    mode_before,
    ...(waiting === undefined ? {} : { waiting_for: waiting }),
    ...(unheard === undefined ? {} : { unheard }),
    ...(model === undefined ? {} : { model: nameOf(session, model) }),
    ...(text === "" ? {} : { title: titleOf(text) }),
  });
}

/** Keeps what an agent is given before its turn begins, which has the same id then. */
export async function keepUnheard(session: AgentSession, input: TurnInput): Promise<void> {
  if (!isWords(input)) return;
  session.unheard = { turn_id: session.newId(), input, untyped: true };
  await saveRunning(session, input, session.unheard.turn_id);
}

/** True while calls have no result that waited for a human, or beside one that did. */
export function hasWaited({ waiting, not_begun }: AgentSession): boolean {
  return waiting !== undefined || not_begun !== undefined;
}

/**
 * Keeps which calls of those that waited begin now: killed from here on, one that may not run twice has to count as begun.
 *
 * @throws TurnEnded when the store failed: nothing must run then.
 */
export async function keepBegun(
  session: AgentSession,
  calls: readonly { readonly call: ToolCallPart; readonly tool?: Tool }[],
): Promise<void> {
  const { options, identity } = session;
  const { waiting = session.not_begun } = session;
  if (waiting === undefined) return;
  const begun = new Set(
    calls.flatMap(({ call, tool }) =>
      tool === undefined || tool.replay === "safe" ? [] : [call.tool_use_id],
    ),
  );
  const not_started = waiting.not_started.filter((id) => !begun.has(id));
  if (not_started.length === waiting.not_started.length) return;
  const waiting_for = { ...waiting, not_started };
  if (session.waiting === undefined) session.not_begun = waiting_for;
  else session.waiting = waiting_for;
  if (session.taken_over) throw takenOver();
  try {
    await options.store?.save?.({ waiting_for }, identity);
  } catch (cause) {
    throw storeFailed("The conversation", cause);
  }
}

/** Changes the mode, and keeps it before anything is done in it: one that is killed is not to go on in a looser one. */
export async function changeMode(session: AgentSession, mode: PermissionMode): Promise<void> {
  if (mode === "plan" && session.mode !== "plan") session.mode_before = session.mode;
  session.mode = mode;
  await save(session, { mode, mode_before: session.mode_before });
}

/** Forgets what was waited for: the calls have results. */
export function forgetWaiting(session: AgentSession): Promise<void> {
  session.waiting = undefined;
  session.not_begun = undefined;
  return save(session, { status: "running" });
}

/** Keeps what came of a run. An agent that refused to hear something new still waits for what it waited for. */
export function saveResult(session: AgentSession, { stop_reason, error }: AgentResult): Promise<void> {
  const { waiting, not_begun } = session;
  const waiting_for = waiting ?? not_begun;
  return save(session, {
    status: waiting === undefined ? STATUS[stop_reason] : "suspended",
    usage: sessionUsage(session),
    ...(error === undefined ? {} : { error }),
    ...(waiting_for === undefined ? {} : { waiting_for }),
  });
}

/** True for what somebody said. What a subagent is to do its parent knows. */
function isWords(input: TurnInput): input is Unheard["input"] {
  return input.type === "prompt" || input.type === "hook_input";
}

/** The name a model can be opened by again, where that is known. */
function nameOf({ options }: AgentSession, model: AgentModel): string {
  return (model === options.model ? options.model_name : undefined) ?? modelName(model);
}

function titleOf(text: string): string {
  const line = text.trim().split("\n")[0] ?? "";
  const characters = [...line];
  if (characters.length <= LONGEST_TITLE) return line;
  const cut = characters.slice(0, LONGEST_TITLE - 1).join("");
  // Half a word may be half a secret, which no store would know for one.
  return `${cut.replace(/\s+\S*$/, "")}…`;
}

/** A store that can't keep the status is reported; messages it can't keep end the run. */
async function save(session: AgentSession, changes: TranscriptChanges): Promise<void> {
  if (session.taken_over) return;
  try {
    writeRollout(session);
    await session.options.store?.save?.(changes, session.identity);
  } catch (error) {
    emit(session, { type: "error", error_type: "store_failed", message: errorMessage(error) });
  }
}
