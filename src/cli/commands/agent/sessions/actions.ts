import { storedState } from "../../../../agent/conversation/restore.ts";
import { shownWaiting } from "../../../../agent/run/session/answers.ts";
import { TenterhookError } from "../../../../core/base/errors.ts";
import { isRecord } from "../../../../core/base/json.ts";
import { fileMark, isFilePart } from "../../../../core/contracts/content.ts";
import type { StoredMessage, Transcript, TranscriptStore } from "../../../../core/contracts/transcript.ts";
import { subjectOf } from "../../../../shared/call-text.ts";
import { mayGoOn } from "../../../command-line/ask-line.ts";
import type { CommandRun, Invocation, Outcome } from "../../../command-line/command.ts";
import { type Block, type Report, type Row, rows } from "../../../command-line/screen/report.ts";
import { ago, bold, counted, cut, dim, hanging, harmless, red } from "../../../command-line/screen/text.ts";
import { waitingLines } from "../run/result-lines.ts";
import { findSession, lostText, sessionReading, sessionStore } from "./session-store.ts";

/** `tenterhook sessions show ID`. */
export const show: CommandRun = (invocation) => withSession(invocation, reportOf);

/** `tenterhook sessions delete ID`. */
export const remove: CommandRun = (invocation) => withSession(invocation, deleteIt);

/** @throws TenterhookError `unknown_session`, `ambiguous_name`. */
async function withSession(
  invocation: Invocation,
  act: (session: Transcript, store: TranscriptStore, invocation: Invocation) => Promise<Outcome>,
): Promise<Outcome> {
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

async function reportOf(
  session: Transcript,
  store: TranscriptStore,
  { signal }: Invocation,
): Promise<Report> {
  const { metadata, messages } = session;
  const { agent_id, session_id, status, title = "", cwd, model, mode, error, forked_from, usage } = metadata;
  const { transcripts } = await store.list({ limit: 1000, session_id, signal });
  const children = transcripts.filter(({ parent_agent_id }) => parent_agent_id === agent_id);
  const { waiting } = status === "suspended" ? storedState(session) : {};
  return {
    json: { ...metadata, messages, subagents: children.map((child) => child.agent_id) },
    blocks: [
      `${bold(harmless(agent_id))}  ${harmless(title)}`.trimEnd(),
      rows(12, [
        ["status", error === undefined ? status : `${status}: ${error.message}`],
        ["folder", cwd],
        ["model", [model, mode && `mode ${mode}`].filter(Boolean).join(", ")],
        [
          "last active",
          `${ago(metadata.updated_at)} (begun ${metadata.created_at.slice(0, 19).replace("T", " ")})`,
        ],
        ["fork of", forked_from?.agent_id],
        ["tokens", usage?.total_tokens?.toLocaleString("en")],
        ...children.map((child): Row => ["subagent", `${child.agent_id}  ${child.title ?? ""}`]),
      ]),
      ...messages
        .flatMap(messageLines)
        .flatMap(({ who, text }): readonly Block[] => [
          "",
          ({ width }) => [hanging(who === "you" ? bold(who) : dim(who), text, width, 12)],
        ]),
      waiting && ["", red("It waits for a human:"), waitingLines(agent_id, shownWaiting(waiting))],
    ],
  };
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
): Promise<Outcome> {
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
  const more = subagents === 0 ? "" : `, with ${counted(subagents, "subagent")}`;
  return { json: { deleted: agent_id, subagents }, blocks: [`deleted  ${what}${more}`] };
}
