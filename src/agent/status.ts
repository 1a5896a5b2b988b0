import { errorMessage } from "../core/error-text.ts";
import type { TranscriptChanges, TranscriptStatus } from "../core/transcript.ts";
import type { AgentResult, StopReason } from "./items.ts";
import { writeRollout } from "./rollout.ts";
import { type AgentSession, emit, modelName } from "./session.ts";
import type { TurnInput } from "./turn.ts";
import { sessionUsage } from "./usage.ts";

const STATUS: Readonly<Record<StopReason, TranscriptStatus>> = {
  complete: "complete",
  limit: "limit",
  cancelled: "cancelled",
  denied: "cancelled",
  aborted: "cancelled",
  error: "error",
  suspended: "suspended",
};

const LONGEST_TITLE = 80;

/** Keeps that the agent is at work: one whose process is killed stays so. */
export function saveRunning(session: AgentSession, input: TurnInput): Promise<void> {
  const { model, conversation } = session;
  const text = input.type === "continue" || conversation.length > 0 ? "" : inputText(input);
  return save(session, {
    status: "running",
    ...(model === undefined ? {} : { model: modelName(model) }),
    ...(text === "" ? {} : { title: titleOf(text) }),
  });
}

/** Keeps what came of a run. */
export function saveResult(session: AgentSession, { stop_reason, error }: AgentResult): Promise<void> {
  const { waiting } = session;
  return save(session, {
    status: STATUS[stop_reason],
    usage: sessionUsage(session),
    ...(error === undefined ? {} : { error }),
    ...(stop_reason === "suspended" && waiting !== undefined ? { waiting_for: waiting } : {}),
  });
}

function inputText(input: Exclude<TurnInput, { type: "continue" }>): string {
  return input.type === "hook_input" ? input.input.text : input.text;
}

function titleOf(text: string): string {
  const line = text.trim().split("\n")[0] ?? "";
  const characters = [...line];
  return characters.length > LONGEST_TITLE ? `${characters.slice(0, LONGEST_TITLE - 1).join("")}…` : line;
}

/** A store that can't keep the status is reported; messages it can't keep end the run. */
async function save(session: AgentSession, changes: TranscriptChanges): Promise<void> {
  try {
    writeRollout(session);
    await session.options.store?.save?.(changes, session.identity);
  } catch (error) {
    emit(session, { type: "error", error_type: "store_failed", message: errorMessage(error) });
  }
}
