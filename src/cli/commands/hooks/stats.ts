import { existsSync } from "node:fs";
import { basename } from "node:path";
import { TenterhookError } from "../../../core/base/errors.ts";
import { type DayStats, dayCounter } from "../../../journal/stats.ts";
import { daemonPlace } from "../../../monitor/report/daemon-place.ts";
import { costsByDay, type DayCost } from "../../../monitor/state/costs.ts";
import { sqliteMonitor } from "../../../monitor/store/sqlite-monitor.ts";
import { type RecordedStats, readJournal, recordedStats } from "../../../project.ts";
import { type CommandRun, flagOption, type Invocation, textOption } from "../../command-line/command.ts";
import { matchingName } from "../../command-line/find-by-name.ts";
import { type Column, tableLines } from "../../command-line/screen/table.ts";
import {
  ago,
  columns,
  counted,
  dayName,
  dayOf,
  harmlessName,
  milliseconds,
  shortPath,
  timeOfDay,
  wrapped,
} from "../../command-line/screen/text.ts";
import { sinceTime } from "../../command-line/since.ts";
import {
  projectFinder,
  recordedProjects,
  recordsOfProject,
} from "../../configured-hooks/recorded-projects.ts";
import { dollars } from "../monitor/costs.ts";

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
  const sessions = new Set<string>();
  const counter = dayCounter(dayOf);
  const hooks = await recordedStats(
    counting(records, (record) => {
      if (record.type !== "decision") return;
      sessions.add(record.session_id);
      counter.add(record);
    }),
    all ? recordedProjects() : undefined,
  );
  const days = counter.days();
  const costs = await recordedCosts(invocation, since, session);
  const total = (key: "decisions" | "stopped" | "asked" | "keep_goings"): number =>
    days.reduce((sum, day) => sum + day[key], 0);
  const totals = {
    decisions: total("decisions"),
    denied: total("stopped"),
    asked: total("asked"),
    keep_goings: total("keep_goings"),
    sessions: sessions.size,
  };
  if (json)
    return screen.json({
      since: since.toISOString(),
      ...(session === undefined ? {} : { session }),
      ...totals,
      days,
      costs,
      hooks,
      damage,
    });
  for (const { file, line } of damage)
    screen.tell(`${shortPath(file, cwd)}:${line}: This line of the journal can't be read and is skipped.`);
  const { bold, dim, red } = screen.paint;
  const width = screen.width - MARGIN.length;
  const print = (...lines: readonly string[]): void =>
    screen.print(...lines.map((line) => `${MARGIN}${line}`.trimEnd()));
  if (days.length > 0) {
    const [title = "", ...lines] = tableLines(DAYS, days, width);
    print(bold(title), ...lines, "");
  }
  if (costs.length > 0) {
    const [title = "", ...lines] = tableLines(COSTS, costs, width);
    print(bold(title), ...lines, "");
  }
  const chosen = all ? [...COLUMNS, PROJECT] : COLUMNS;
  const whole = tableLines(chosen, hooks, Number.POSITIVE_INFINITY);
  const [head = "", ...rows] = whole.every((line) => columns(line) <= width)
    ? whole
    : tableLines(
        chosen.filter(({ title }) => !["MEAN", "LAST"].includes(title)),
        hooks,
        width,
      );
  if (hooks.length > 0) {
    const lines = rows.flatMap((row, index) => {
      const hook = hooks[index];
      return hook === undefined ? [row] : [row, ...failuresOf(hook).map(red)];
    });
    print(bold(head), ...lines, "");
  }
  const place = all || session !== undefined ? "" : "of this project ";
  const from = since.toISOString();
  if (totals.decisions === 0) {
    screen.print(`Nothing was recorded ${place}since ${from}.${all ? "" : " --all: all projects."}`);
    return undefined;
  }
  const last = `${counted(totals.decisions, "decision")}, ${totals.denied} stopped, ${totals.asked} asked about, in ${counted(totals.sessions, "session")} ${place}since ${dayName(from)} ${timeOfDay(from)}`;
  print(...wrapped(dim(last), width).split("\n"));
};

const MARGIN = "  ";

const DAYS: readonly Column<DayStats>[] = [
  { title: "DAY", cell: ({ day }) => dayName(`${day}T12:00:00`) },
  { title: "AGENT", cell: ({ agent }) => harmlessName(agent), least: 8 },
  { title: "SESSIONS", cell: ({ sessions }) => String(sessions), right: true },
  { title: "DECISIONS", cell: ({ decisions }) => String(decisions), right: true },
  { title: "STOPPED", cell: ({ stopped }) => String(stopped), right: true, counts: true },
  { title: "ASKED", cell: ({ asked }) => String(asked), right: true, counts: true },
  { title: "KEPT GOING", cell: ({ keep_goings }) => String(keep_goings), right: true, counts: true },
];

const COSTS: readonly Column<DayCost>[] = [
  { title: "DAY", cell: ({ day }) => dayName(`${day}T12:00:00`) },
  { title: "PROJECT", cell: ({ project }) => harmlessName(basename(project) || project), least: 8 },
  { title: "AGENT", cell: ({ agent }) => harmlessName(agent), least: 8 },
  { title: "TOKENS", cell: ({ tokens }) => tokens.toLocaleString("en"), right: true },
  { title: "COST", cell: ({ cost_usd }) => dollars(cost_usd), right: true },
];

/** What agents used, as the monitor knows it. Nothing when it has never run, or its database can't be read. */
async function recordedCosts(
  invocation: Invocation,
  since: Date,
  session: string | undefined,
): Promise<readonly DayCost[]> {
  const { database } = daemonPlace(invocation.environment);
  if (!existsSync(database)) return [];
  const projectOf = projectFinder();
  const here = flagOption(invocation, "all") || session !== undefined ? undefined : projectOf(invocation.cwd);
  const store = await sqliteMonitor(database).catch(() => undefined);
  if (store === undefined) return [];
  try {
    return await costsByDay(store.events(), ({ time, session_id }, cwd) => {
      const project = cwd === undefined ? "elsewhere" : projectOf(cwd);
      const isOther = (here !== undefined && project !== here) || (session ?? session_id) !== session_id;
      return isOther || Date.parse(time) < since.getTime() ? undefined : { day: dayOf(time), project };
    });
  } finally {
    await store.close();
  }
}

const COLUMNS: readonly Column<RecordedStats>[] = [
  { title: "HOOK", cell: ({ name }) => harmlessName(name), least: 12 },
  { title: "RUNS", cell: ({ runs }) => String(runs), right: true },
  { title: "DENY", cell: ({ denials }) => String(denials), right: true, counts: true },
  { title: "ASK", cell: ({ asks }) => String(asks), right: true, counts: true },
  { title: "GO ON", cell: ({ keep_goings }) => String(keep_goings), right: true, counts: true },
  { title: "CONTEXT", cell: ({ contexts }) => String(contexts), right: true, counts: true },
  { title: "FAIL", cell: ({ failures }) => String(failures), right: true, counts: true },
  { title: "MEAN", cell: ({ mean_ms }) => milliseconds(mean_ms), right: true },
  { title: "P95", cell: ({ p95_ms }) => milliseconds(p95_ms), right: true },
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
