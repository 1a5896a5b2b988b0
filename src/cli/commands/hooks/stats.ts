import { TenterhookError } from "../../../core/base/errors.ts";
import { type RecordedStats, readJournal, recordedStats } from "../../../project.ts";
import { type CommandRun, flagOption, type Invocation, textOption } from "../../command-line/command.ts";
import { matchingName } from "../../command-line/find-by-name.ts";
import { type Column, tableLines } from "../../command-line/screen/table.ts";
import { ago, counted, harmlessName, milliseconds, shortPath } from "../../command-line/screen/text.ts";
import { sinceTime } from "../../command-line/since.ts";
import { recordedProjects, recordsOfProject } from "../../configured-hooks/recorded-projects.ts";

export const run: CommandRun = async (invocation) => {
  const { screen, json, environment, signal, cwd } = invocation;
  const since = sinceTime(textOption(invocation, "since") ?? "7d");
  const session = await sessionOf(invocation, since);
  const damage: { readonly file: string; readonly line: number }[] = [];
  const all = flagOption(invocation, "all");
  const recorded = readJournal({
    environment,
    since,
    signal,
    ...(session === undefined ? {} : { session }),
    onDamage: (found) => damage.push(found),
  });
  // A session is where it is.
  const records = all || session !== undefined ? recorded : recordsOfProject(recorded, cwd);
  const counts = { decisions: 0, denied: 0, asked: 0, sessions: new Set<string>() };
  const hooks = await recordedStats(
    counting(records, ({ type, decision, session_id }) => {
      if (type !== "decision") return;
      counts.decisions += 1;
      counts.sessions.add(session_id);
      if (decision?.action === "deny") counts.denied += 1;
      if (decision?.action === "ask") counts.asked += 1;
    }),
    all ? recordedProjects() : undefined,
  );
  const totals = { ...counts, sessions: counts.sessions.size };
  if (json)
    return screen.json({
      since: since.toISOString(),
      ...(session === undefined ? {} : { session }),
      ...totals,
      hooks,
      damage,
    });
  for (const { file, line } of damage)
    screen.tell(`${shortPath(file, cwd)}:${line}: This line of the journal can't be read and is skipped.`);
  const { bold, dim, red } = screen.paint;
  const [head = "", ...rows] = tableLines(all ? [...COLUMNS, PROJECT] : COLUMNS, hooks, screen.width);
  if (hooks.length > 0) {
    const lines = rows.flatMap((row, index) => {
      const hook = hooks[index];
      return hook === undefined ? [row] : [row, ...failuresOf(hook).map(red)];
    });
    screen.print(bold(head), ...lines, "");
  }
  const place = all || session !== undefined ? "" : "of this project ";
  screen.print(
    counts.decisions === 0
      ? `Nothing was recorded ${place}since ${since.toISOString()}.${all ? "" : " --all: all projects."}`
      : dim(
          `${counted(totals.decisions, "decision")}, ${totals.denied} denied, ${totals.asked} asked about, in ${counted(totals.sessions, "session")} ${place}since ${since.toISOString()}`,
        ),
  );
};

const COLUMNS: readonly Column<RecordedStats>[] = [
  { title: "HOOK", cell: ({ name }) => harmlessName(name), least: 12 },
  { title: "RUNS", cell: ({ runs }) => String(runs), right: true },
  { title: "DENY", cell: ({ denials }) => String(denials), right: true },
  { title: "ASK", cell: ({ asks }) => String(asks), right: true },
  { title: "FAIL", cell: ({ failures }) => String(failures), right: true },
  { title: "MEAN", cell: ({ mean_ms }) => milliseconds(mean_ms), right: true },
  { title: "P95", cell: ({ p95_ms }) => milliseconds(p95_ms), right: true },
  { title: "MAX", cell: ({ max_ms }) => milliseconds(max_ms), right: true },
  { title: "LAST", cell: ({ last_run }) => ago(last_run), right: true },
];

const PROJECT: Column<RecordedStats> = {
  title: "PROJECT",
  cell: ({ project }) => (project === undefined ? "-" : harmlessName(shortPath(project, project))),
  least: 12,
};

/** `failed: 2 timeout, 1 error`. */
function failuresOf({ failures_by_kind }: RecordedStats): readonly string[] {
  const kinds = Object.entries(failures_by_kind).map(([kind, number]) => `${number} ${kind}`);
  return kinds.length === 0 ? [] : [`  failed: ${kinds.join(", ")}`];
}

async function* counting<Item>(
  items: AsyncIterable<Item>,
  count: (item: Item) => void,
): AsyncGenerator<Item> {
  for await (const item of items) {
    count(item);
    yield item;
  }
}

async function sessionOf(invocation: Invocation, since: Date): Promise<string | undefined> {
  const wanted = textOption(invocation, "session");
  if (wanted === undefined) return undefined;
  const { environment, signal } = invocation;
  const ids = new Set<string>();
  for await (const { session_id } of readJournal({ environment, since, signal })) ids.add(session_id);
  const match = matchingName("session", wanted, [...ids]);
  if (match !== undefined) return match;
  throw new TenterhookError(
    "unknown_session",
    `No session that begins with ${JSON.stringify(wanted)} was recorded since ${since.toISOString()}.`,
  );
}
