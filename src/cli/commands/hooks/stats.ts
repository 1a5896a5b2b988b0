import { existsSync } from "node:fs";
import { basename } from "node:path";
import { TenterhookError } from "../../../core/base/errors.ts";
import type { Activity } from "../../../journal/activity/activity.ts";
import { BEHIND, closing, openActivity } from "../../../journal/activity/open-activity.ts";
import { projectOf } from "../../../journal/projects.ts";
import type { DayStats } from "../../../journal/stats.ts";
import { daemonPlace } from "../../../monitor/report/daemon-place.ts";
import { costsByDay, type DayCost } from "../../../monitor/state/usage.ts";
import { sqliteMonitor } from "../../../monitor/store/sqlite-monitor.ts";
import type { RecordedStats } from "../../../project.ts";
import { dayOf } from "../../../shared/day-of.ts";
import { type CommandRun, flagOption, type Invocation, textOption } from "../../command-line/command.ts";
import { matchingName } from "../../command-line/find-by-name.ts";
import { type Column, tableLines } from "../../command-line/screen/table.ts";
import {
  ago,
  columns,
  counted,
  dayName,
  harmlessName,
  milliseconds,
  shortPath,
  timeOfDay,
  wrapped,
} from "../../command-line/screen/text.ts";
import { sinceTime } from "../../command-line/times.ts";
import { COUNTS } from "../../configured-hooks/view.ts";
import { dollars } from "../monitor/costs.ts";

export const run: CommandRun = async (invocation) => {
  const { screen, json, environment, cwd } = invocation;
  const wanted = sinceTime(textOption(invocation, "since") ?? "7d");
  const all = flagOption(invocation, "everywhere");
  const { activity, whole: isWhole } = await openActivity(environment);
  const [session, { since, days, hooks, sessions }, damage] = closing(activity, () => {
    const one = sessionOf(invocation, activity, wanted);
    // A session is where it is.
    const project = all || one !== undefined ? undefined : projectOf(cwd);
    const stats = activity.stats({ since: wanted, project, session: one }, all);
    return [one, stats, activity.damage(wanted)] as const;
  });
  if (!isWhole) screen.tell(BEHIND);
  const costs = await recordedCosts(invocation, wanted, session);
  const total = (key: "decisions" | "stopped" | "asked" | "keep_goings"): number =>
    days.reduce((sum, day) => sum + day[key], 0);
  const totals = {
    decisions: total("decisions"),
    denied: total("stopped"),
    asked: total("asked"),
    keep_goings: total("keep_goings"),
    sessions,
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
  for (const [title = "", ...lines] of [tableLines(DAYS, days, width), tableLines(COSTS, costs, width)])
    if (lines.length > 0) print(bold(title), ...lines, "");
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
      const kinds = Object.entries(hook?.failures_by_kind ?? {}).map(([kind, number]) => `${number} ${kind}`);
      return kinds.length === 0 ? [row] : [row, red(`  failed: ${kinds.join(", ")}`)];
    });
    print(bold(head), ...lines, "");
  }
  const place = all || session !== undefined ? "" : "in this project ";
  const from = since.toISOString();
  if (totals.decisions === 0) {
    screen.print(
      `Nothing was recorded ${place}since ${dayName(from)} ${timeOfDay(from)}.${all ? "" : " --everywhere: all projects."}`,
    );
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
  { environment, cwd, options }: Invocation,
  since: Date,
  session: string | undefined,
): Promise<readonly DayCost[]> {
  const { database } = daemonPlace(environment);
  if (!existsSync(database)) return [];
  const here = options.everywhere === true || session !== undefined ? undefined : projectOf(cwd);
  const store = await sqliteMonitor(database).catch(() => undefined);
  const used = await store?.used(dayOf(since.getTime())).finally(() => store.close());
  const chosen = (used ?? []).filter((one) => session === undefined || one.session_id === session);
  const costs = costsByDay(chosen, projectOf);
  return here === undefined ? costs : costs.filter(({ project }) => project === here);
}

const COLUMNS: readonly Column<RecordedStats>[] = [
  { title: "HOOK", cell: ({ name }) => harmlessName(name), least: 12 },
  ...COUNTS,
  { title: "MEAN", cell: ({ mean_ms }) => milliseconds(mean_ms), right: true },
  { title: "P95", cell: ({ p95_ms }) => milliseconds(p95_ms), right: true },
  { title: "LAST", cell: ({ last_run }) => ago(last_run), right: true },
];

const PROJECT: Column<RecordedStats> = {
  title: "PROJECT",
  cell: ({ project }) => (project === undefined ? "-" : harmlessName(shortPath(project, project))),
  least: 12,
};

/** @throws TenterhookError `unknown_session`, `ambiguous_name`. */
function sessionOf(invocation: Invocation, activity: Activity, since: Date): string | undefined {
  const wanted = textOption(invocation, "session");
  if (wanted === undefined) return undefined;
  const match = matchingName("session", wanted, activity.sessions(since));
  if (match !== undefined) return match;
  throw new TenterhookError(
    "unknown_session",
    `No session that begins with ${JSON.stringify(wanted)} was recorded since ${since.toISOString()}.`,
  );
}
