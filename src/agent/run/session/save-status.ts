import { errorMessage } from "../../../core/base/error-text.ts";
import type { PermissionMode, Tool } from "../../../core/contracts/tool.ts";
import type { TranscriptChanges } from "../../../core/contracts/transcript.ts";
import type { Unheard } from "../../conversation/restore.ts";
import { type AgentResult, inputText, type TurnInput } from "../../items.ts";
import { openCalls, type ToolCallPart } from "../../messages/messages.ts";
import { type AgentModel, modelName } from "../../model/agent-model.ts";
import { sessionUsage } from "../../model/usage.ts";
import { STOP_REASONS } from "../../stop-reasons.ts";
import { storeFailed, takenOver } from "../../turn-ended.ts";
import type { StoredWaiting, WaitingFor } from "../../waiting-for.ts";
import { writeActivity } from "./activity.ts";
import { waitingWith } from "./answers.ts";
import { type AgentSession, emit, type Turn } from "./session.ts";

const LONGEST_TITLE = 80;

/** Saves that the agent is running, and on what: the status of an agent whose process is killed stays so. */
export function saveRunning(session: AgentSession, input: TurnInput, turn_id: string): Promise<void> {
  const { model, conversation, mode, mode_before, pending } = session;
  const { waiting = pending.not_begun } = pending;
  const unheard = isWords(input) && input !== pending.unheard?.input ? { turn_id, input } : pending.unheard;
  const text = input.type === "continue" || conversation.length > 0 ? "" : inputText(input);
  return save(session, {
    status: "running",
    mode,
    mode_before,
    waiting_for: waiting,
    unheard,
    ...(model === undefined ? {} : { model: nameOf(session, model) }),
    ...(text === "" ? {} : { title: titleOf(text) }),
  });
}

/** Saves the input before its turn begins, under the id the turn will have. */
export async function saveUnheard(session: AgentSession, input: TurnInput): Promise<void> {
  if (!isWords(input)) return;
  const turn_id = session.newId();
  session.pending.unheard = { turn_id, input };
  await saveRunning(session, input, turn_id);
}

/** True while calls that waited for a human, or together with one that did, have no result. */
export function hasWaited({ pending: { waiting, not_begun } }: AgentSession): boolean {
  return waiting !== undefined || not_begun !== undefined;
}

/** Saves what a human is asked before calls begin, so that a session resumed after a crash asks again. */
export function saveAsking(turn: Turn, asked: WaitingFor): Promise<void> {
  const { session, from, started } = turn;
  const begun = new Set(started.map(({ tool_use_id }) => tool_use_id));
  // A tool that asks has begun: what it did before it asked is not known.
  if (begun.has(asked.tool_use_id)) return Promise.resolve();
  const open = openCalls(session.conversation.transcript(from));
  const waiting_for = waitingWith(
    session,
    asked,
    open.filter(({ tool_use_id }) => !begun.has(tool_use_id)),
  );
  noteNotBegun(session, waiting_for);
  return save(session, { waiting_for });
}

function noteNotBegun({ pending }: AgentSession, waiting: StoredWaiting): void {
  if (pending.waiting === undefined) pending.not_begun = waiting;
  else pending.waiting = waiting;
}

/**
 * Saves which of the calls that waited begin now: from here on a call that may not run twice counts as begun.
 *
 * @throws TurnEnded when the store failed: nothing must run then.
 */
export async function saveBegun(
  session: AgentSession,
  waiting: StoredWaiting,
  calls: readonly { readonly call: ToolCallPart; readonly tool?: Tool }[],
): Promise<void> {
  const { options, identity, storage } = session;
  const begun = new Set(
    calls.flatMap(({ call, tool }) =>
      tool === undefined || tool.replay === "safe" ? [] : [call.tool_use_id],
    ),
  );
  const not_started = waiting.not_started.filter((id) => !begun.has(id));
  if (not_started.length === waiting.not_started.length) return;
  const waiting_for = { ...waiting, not_started };
  noteNotBegun(session, waiting_for);
  if (storage.taken_over) throw takenOver();
  try {
    await options.store?.save?.({ waiting_for }, identity);
  } catch (cause) {
    throw storeFailed("The conversation", cause);
  }
}

/** Changes the mode and saves it before anything runs in it: a killed agent must not go on in a looser one. */
export async function changeMode(session: AgentSession, mode: PermissionMode): Promise<void> {
  if (mode === "plan" && session.mode !== "plan") session.mode_before = session.mode;
  session.mode = mode;
  await save(session, { mode, mode_before: session.mode_before });
}

/** Forgets what the agent waited for: the calls have results. */
export function forgetWaiting(session: AgentSession): Promise<void> {
  session.pending.waiting = undefined;
  session.pending.not_begun = undefined;
  return save(session, { status: "running" });
}

/** Saves the result of a run. An agent that refused a new prompt still waits for what it waited for. */
export function saveResult(session: AgentSession, { stop_reason, error }: AgentResult): Promise<void> {
  const { waiting, not_begun } = session.pending;
  const waiting_for = waiting ?? not_begun;
  return save(session, {
    status: waiting === undefined ? STOP_REASONS[stop_reason].status : "suspended",
    usage: sessionUsage(session),
    error,
    waiting_for,
  });
}

/** True for a message from a user or hook. The task of a subagent is in its parent's transcript. */
function isWords(input: TurnInput): input is Unheard["input"] {
  return input.type === "prompt" || input.type === "hook_input";
}

/** The name that opens the model again, if it is known. */
function nameOf({ options }: AgentSession, model: AgentModel): string {
  return (model === options.model ? options.model_name : undefined) ?? modelName(model);
}

function titleOf(text: string): string {
  const line = text.trim().split("\n")[0] ?? "";
  const characters = [...line];
  if (characters.length <= LONGEST_TITLE) return line;
  const cut = characters.slice(0, LONGEST_TITLE - 1).join("");
  // Half a word may be half a secret, which no store would recognise.
  return `${cut.replace(/\s+\S*$/, "")}…`;
}

/** A store that fails to save the status is reported; only a message it fails to store ends the run. */
async function save(session: AgentSession, changes: TranscriptChanges): Promise<void> {
  if (session.storage.taken_over) return;
  try {
    writeActivity(session);
    await session.options.store?.save?.(changes, session.identity);
  } catch (error) {
    emit(session, { type: "error", error_type: "store_failed", message: errorMessage(error) });
  }
}
