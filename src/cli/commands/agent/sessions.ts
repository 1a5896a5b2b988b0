import { TRANSCRIPT_STATUSES, type TranscriptMetadata } from "../../../core/contracts/transcript.ts";
import { type CommandRun, flagOption, numberOption, textOption } from "../../command-line/command.ts";
import { table } from "../../command-line/screen/report.ts";
import type { Column } from "../../command-line/screen/table.ts";
import { ago, dim, harmless } from "../../command-line/screen/text.ts";
import { sinceTime } from "../../command-line/times.ts";
import { sessionStore } from "./sessions/session-store.ts";

const DEFAULT_LIMIT = 20;

export const run: CommandRun = async (invocation) => {
  const { environment, cwd, signal } = invocation;
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
    const none = all
      ? "There are no sessions."
      : "There are no sessions in this folder; --everywhere shows those of all folders.";
    return {
      json: { sessions: transcripts, more: cursor !== undefined },
      blocks: [
        transcripts.length === 0 ? none : table(COLUMNS, transcripts),
        cursor !== undefined && dim("There are more: -n 1000."),
      ],
    };
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
