import { storedState } from "../../../../agent/conversation/restore.ts";
import { shownWaiting } from "../../../../agent/run/session/answers.ts";
import { TenterhookError } from "../../../../core/base/errors.ts";
import { isRecord } from "../../../../core/base/json.ts";
import { fileMark, isFilePart } from "../../../../core/contracts/content.ts";
import type { StoredMessage, Transcript, TranscriptStore } from "../../../../core/contracts/transcript.ts";
import { subjectOf } from "../../../../shared/call-text.ts";
import { mayGoOn } from "../../../command-line/ask-line.ts";
import type { CommandRun, Invocation } from "../../../command-line/command.ts";
import { ago, counted, cut, hanging, harmless } from "../../../command-line/screen/text.ts";
import { waitingLines } from "../run/result-lines.ts";
import { findSession, lostText, sessionReading, sessionStore } from "./session-store.ts";

/** `tenterhook sessions show ID`. */
export const show: CommandRun = (invocation) => withSession(invocation, print);

/** `tenterhook sessions delete ID`. */
export const remove: CommandRun = (invocation) => withSession(invocation, deleteIt);

/** @throws TenterhookError `unknown_session`, `ambiguous_name`. */
async function withSession(
  invocation: Invocation,
  act: (session: Transcript, store: TranscriptStore, invocation: Invocation) => Promise<number | void>,
): Promise<number | void> {
  const [id = ""] = invocation.names;
  const store = sessionStore(invocation.environment);
  try {
    const reading = sessionReading(invocation);
    const session = await findSession(store, id, reading.read);
    for (const place of reading.lost) invocation.screen.tell(lostText(place));
    return await act(session, store, invocation);
  } finally {
    await store.close();
  }
}

async function print(session: Transcript, store: TranscriptStore, invocation: Invocation): Promise<void> {
  const { screen, json, signal } = invocation;
  const { metadata, messages } = session;
  const { agent_id, session_id, status, title, cwd, model, mode, error, forked_from, usage } = metadata;
  const { transcripts } = await store.list({ limit: 1000, session_id, signal });
  const children = transcripts.filter(({ parent_agent_id }) => parent_agent_id === agent_id);
  if (json) return screen.json({ ...metadata, messages, subagents: children.map((child) => child.agent_id) });
  const { bold, dim, red } = screen.paint;
  const line = (name: string, text: string | undefined): void => {
    if (text !== undefined) screen.print(hanging(dim(name), harmless(text), screen.width, 12));
  };
  screen.print(bold(harmless(agent_id)) + (title === undefined ? "" : `  ${harmless(title)}`));
  line("status", error === undefined ? status : `${status}: ${error.message}`);
  line("folder", cwd);
  line(
    "model",
    [model, mode === undefined ? undefined : `mode ${mode}`].filter(Boolean).join(", ") || undefined,
  );
  line(
    "last active",
    `${ago(metadata.updated_at)} (begun ${metadata.created_at.slice(0, 19).replace("T", " ")})`,
  );
  line("fork of", forked_from?.agent_id);
  line("tokens", usage?.total_tokens?.toLocaleString("en"));
  for (const child of children) line("subagent", `${child.agent_id}  ${child.title ?? ""}`);
  for (const { who, text } of messages.flatMap(messageLines))
    screen.print("", hanging(who === "you" ? bold(who) : dim(who), text, screen.width, 12));
  const { waiting } = status === "suspended" ? storedState(session) : {};
  if (waiting !== undefined)
    screen.print("", red("It waits for a human:"), ...waitingLines(agent_id, shownWaiting(waiting)));
}

const MOST_CHARACTERS = 2000;
const MOST_OF_RESULT = 300;

/** What a person reads of a message: texts, calls, and the beginnings of results. */
export function messageLines(
  message: StoredMessage,
): readonly { readonly who: string; readonly text: string }[] {
  const fields: Readonly<Record<string, unknown>> = { ...message };
  const parts: readonly unknown[] = Array.isArray(fields.parts) ? fields.parts : [];
  return parts.filter(isRecord).flatMap((part) => {
    const shownAs = (who: string, text: unknown, most = MOST_CHARACTERS) =>
      typeof text === "string" && text.trim() !== "" ? [{ who, text: cut(harmless(text.trim()), most) }] : [];
    switch (part.type) {
      case "text":
        return shownAs(
          fields.role === "assistant" ? "agent" : fields.source === "user" ? "you" : "hook",
          part.text,
        );
      case "file":
        return isFilePart(part) ? shownAs("you", fileMark(part)) : [];
      case "context":
      case "hook_input":
        return shownAs("hook", part.text, MOST_OF_RESULT);
      case "tool_call":
        return shownAs("calls", `${part.tool_name} ${subjectOf(part.tool_input)}`, MOST_OF_RESULT);
      case "tool_result":
        return shownAs(part.is_error === true ? "failed" : "result", part.content, MOST_OF_RESULT);
      default:
        return [];
    }
  });
}

async function deleteIt(
  { metadata: { agent_id, title } }: Transcript,
  store: TranscriptStore,
  invocation: Invocation,
): Promise<number | void> {
  const { screen, json } = invocation;
  const what = `session ${agent_id}${title === undefined ? "" : ` (${cut(harmless(title), 60)})`}`;
  const holder = await store.holder(agent_id);
  if (holder !== undefined)
    throw new TenterhookError("agent_in_use", `Process ${holder.pid} runs ${what}.`, {
      hint: "End it first, then delete the session.",
    });
  const isAgreed = await mayGoOn(
    `Delete ${what} and its subagents for good?`,
    invocation,
    `Nothing was deleted: ${what} would be gone for good.`,
    `tenterhook sessions delete ${agent_id} --yes deletes it without asking.`,
  );
  if (!isAgreed) return 1;
  const { transcripts } = await store.list({ limit: 1000, session_id: agent_id, signal: invocation.signal });
  await store.delete(agent_id);
  const subagents = Math.max(0, transcripts.length - 1);
  if (json) screen.json({ deleted: agent_id, subagents });
  else screen.print(`deleted  ${what}${subagents === 0 ? "" : `, with ${counted(subagents, "subagent")}`}`);
}
