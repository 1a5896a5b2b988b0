import { TenterhookError } from "../../../core/base/errors.ts";
import { TRANSCRIPT_STATUSES, type TranscriptMetadata } from "../../../core/contracts/transcript.ts";
import { type CommandRun, flagOption, type Invocation, textOption } from "../../command-line/command.ts";
import { type Column, tableLines } from "../../command-line/screen/table.ts";
import { ago, harmless } from "../../command-line/screen/text.ts";
import { sinceTime } from "../../command-line/since.ts";
import { sessionAction } from "./sessions/actions.ts";
import { sessionStore } from "./sessions/session-store.ts";

const DEFAULT_LIMIT = 20;

export const run: CommandRun = async (invocation) => {
  const { screen, json, environment, cwd, signal } = invocation;
  const status = TRANSCRIPT_STATUSES.find((name) => name === textOption(invocation, "status"));
  const since = textOption(invocation, "since");
  const all = flagOption(invocation, "all");
  const store = sessionStore(environment);
  try {
    if (invocation.names.length > 0) return await sessionAction(store, invocation);
    const { transcripts, cursor } = await store.list({
      limit: limitOption(invocation),
      ...(flagOption(invocation, "agents") ? {} : { root: true }),
      ...(all ? {} : { cwd }),
      ...(status === undefined ? {} : { status }),
      ...(since === undefined ? {} : { since: sinceTime(since) }),
      signal,
    });
    if (json) {
      screen.json({ sessions: transcripts, more: cursor !== undefined });
      return undefined;
    }
    if (transcripts.length === 0) {
      screen.print(
        all
          ? "There are no sessions."
          : "There are no sessions in this folder; --all shows those of all folders.",
      );
      return undefined;
    }
    const [head = "", ...rows] = tableLines(COLUMNS, transcripts, screen.width);
    screen.print(screen.paint.bold(head), ...rows);
    if (cursor !== undefined) screen.print(screen.paint.dim("There are more: --limit."));
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

function limitOption(invocation: Invocation): number {
  const given = textOption(invocation, "limit");
  if (given === undefined) return DEFAULT_LIMIT;
  const limit = Number(given);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 1000) return limit;
  throw new TenterhookError("usage_error", `--limit must be a whole number from 1 to 1000, not ${given}.`, {
    hint: "tenterhook sessions --help shows the usage.",
  });
}
