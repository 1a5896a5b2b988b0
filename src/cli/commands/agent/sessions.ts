import { TRANSCRIPT_STATUSES, type TranscriptMetadata } from "../../../core/contracts/transcript.ts";
import { type CommandRun, flagOption, numberOption, textOption } from "../../command-line/command.ts";
import { type Column, tableLines } from "../../command-line/screen/table.ts";
import { ago, harmless } from "../../command-line/screen/text.ts";
import { sinceTime } from "../../command-line/times.ts";
import { sessionStore } from "./sessions/session-store.ts";

const DEFAULT_LIMIT = 20;

export const run: CommandRun = async (invocation) => {
  const { screen, json, environment, cwd, signal } = invocation;
  const status = TRANSCRIPT_STATUSES.find((name) => name === textOption(invocation, "status"));
  const since = textOption(invocation, "since");
  const all = flagOption(invocation, "everywhere");
  const store = sessionStore(environment);
  try {
    const { transcripts, cursor } = await store.list({
      limit: numberOption(invocation, "n") ?? DEFAULT_LIMIT,
      ...(flagOption(invocation, "agents") ? {} : { root: true }),
      ...(all ? {} : { cwd }),
      ...(status === undefined ? {} : { status }),
      ...(since === undefined ? {} : { since: sinceTime(since) }),
      signal,
    });
    if (json) return screen.json({ sessions: transcripts, more: cursor !== undefined });
    if (transcripts.length === 0) {
      screen.print(
        all
          ? "There are no sessions."
          : "There are no sessions in this folder; --everywhere shows those of all folders.",
      );
      return undefined;
    }
    const [head = "", ...rows] = tableLines(COLUMNS, transcripts, screen.width);
    screen.print(screen.paint.bold(head), ...rows);
    if (cursor !== undefined) screen.print(screen.paint.dim("There are more: -n 1000."));
    return undefined;
  } finally {
    await store.close();
  }
};

const COLUMNS: readonly Column<TranscriptMetadata>[] = [
  { title: "ID", cell: ({ agent_id }) => harmless(agent_id), least: 12 },
  { title: "STATUS", cell: ({ status }) => status },
  { title: "LAST", cell: ({ updated_at }) => ago(updated_at), right: true },
  { title: "TITLE", cell: ({ title = "" }) => harmless(title), least: 20 },
];
