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
import { matchingSession } from "../../command-line/find-by-name.ts";
import { type Block, paragraph, table } from "../../command-line/screen/report.ts";
import type { Column } from "../../command-line/screen/table.ts";
import {
  ago,
  counted,
  dayName,
  dim,
  harmlessName,
  milliseconds,
  moment,
  red,
  shortPath,
} from "../../command-line/screen/text.ts";
import { sinceTime } from "../../command-line/times.ts";
import { usageError } from "../../command-line/usage-error.ts";
import { COUNTS } from "../../configured-hooks/view.ts";
import { dollars } from "../monitor/costs.ts";

/** `tenterhook log --stats`: sums of what was decided and what each hook did; `--costs`: what agents used alone. */
export const run: CommandRun = async (invocation) => {
  refuseChoices(invocation);
  const { screen, environment, cwd } = invocation;
  const wanted = sinceTime(textOption(invocation, "since") ?? "7d");
  const all = flagOption(invocation, "everywhere");
  const { activity, whole } = await openActivity(environment);
  const [session, stats, damage] = closing(activity, () => {
    const one = sessionOf(invocation, activity, wanted);
    // A session is where it is.
    const project = all || one !== undefined ? undefined : projectOf(cwd);
    return [
      one,
      activity.stats({ since: wanted, project, session: one }, all),
      activity.damage(wanted),
    ] as const;
  });
  if (!whole) screen.tell(BEHIND);
  const { days, hooks, sessions } = stats;
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
  const since = stats.since.toISOString();
  const json = { since, session, ...totals, days, costs, hooks, damage };
  if (!invocation.json)
    for (const { file, line } of damage)
      screen.tell(`${shortPath(file, cwd)}:${line}: This line of the journal can't be read and is skipped.`);
  const from = `${all || session !== undefined ? "" : "in this project "}since ${moment(since)}`;
  const said = hooks.filter(isSaid);
  const most = mostRows(invocation, [costs.length, days.length, said.length]);
  const used = tableBlock(COSTS, costs, most);
  if (flagOption(invocation, "costs"))
    return { json, blocks: [costs.length > 0 ? used : `No agent reported what it used ${from}.`] };
  if (totals.decisions === 0)
    return {
      json,
      blocks: [used, `Nothing was recorded ${from}.${all ? "" : " --everywhere: all projects."}`],
    };
  const sum = `${counted(totals.decisions, "decision")}, ${totals.denied} stopped, ${totals.asked} asked about, in ${counted(sessions, "session")} ${from}`;
  return {
    json,
    blocks: [used, tableBlock(DAYS, days, most), hookBlock(hooks, invocation, most), paragraph(sum, dim)],
  };
};

function tableBlock<One>(columnsOf: readonly Column<One>[], list: readonly One[], most: number): Block {
  const left = list.length - most;
  return (
    list.length > 0 && [
      table(columnsOf, list.slice(0, most), MARGIN),
      left > 0 && dim(`${MARGIN}${counted(left, "more row")}; -v shows them`),
      "",
    ]
  );
}

/** The most rows of a table with which all of them fit the screen. */
function mostRows(invocation: Invocation, tables: readonly number[]): number {
  if (flagOption(invocation, "verbose") || flagOption(invocation, "costs")) return Number.POSITIVE_INFINITY;
  const shown = tables.filter((rows) => rows > 0);
  const room = invocation.screen.height - shown.length * LINES_AROUND - LINES_BELOW;
  let most = Math.max(LEAST_ROWS, ...shown);
  while (most > LEAST_ROWS && shown.reduce((sum, rows) => sum + Math.min(rows, most), 0) > room) most -= 1;
  return most;
}

const LEAST_ROWS = 2;
/** Of a table: its head, what is left out, and an empty line. */
const LINES_AROUND = 3;
/** The sum, on two lines, the line of the command and the next prompt. */
const LINES_BELOW = 4;

/** What chooses lines of the log, and means nothing for sums. */
const FOR_LINES = ["hook", "agent", "verdict", "stopped", "all", "follow", "n"];

/** @throws TenterhookError `usage_error`. */
function refuseChoices({ options }: Invocation): void {
  const given = FOR_LINES.find((name) => options[name] !== undefined && options[name] !== false);
  if (given === undefined) return;
  const flag = given.length === 1 ? `-${given}` : `--${given}`;
  throw usageError(
    `${flag} chooses lines of the log, and there are none with --stats or --costs.`,
    "tenterhook list NAME shows the numbers of one hook; --session ID, those of one session.",
  );
}

function isSaid(hook: RecordedStats): boolean {
  return COUNTS.some(({ counts, cell }) => counts === true && cell(hook) !== "0");
}

/** The hooks that had something to say; the others are counted. */
function hookBlock(hooks: readonly RecordedStats[], invocation: Invocation, most: number): Block {
  const telling = flagOption(invocation, "verbose") ? hooks : hooks.filter(isSaid);
  const shown = telling.slice(0, most);
  const chosen = flagOption(invocation, "everywhere") ? [...COLUMNS, PROJECT] : COLUMNS;
  const failed = ({ failures_by_kind = {} }: RecordedStats): readonly string[] => {
    const kinds = Object.entries(failures_by_kind).map(([kind, number]) => `${number} ${kind}`);
    return kinds.length === 0 ? [] : [red(`${MARGIN}  failed: ${kinds.join(", ")}`)];
  };
  const [more, silent] = [telling.length - shown.length, hooks.length - telling.length];
  const left = [
    ...(more > 0 ? [`${counted(more, "more hook")}`] : []),
    ...(silent > 0 ? [`${counted(silent, "hook")} had nothing to say`] : []),
  ].join(", ");
  return [
    table(chosen, shown, MARGIN, failed),
    left !== "" && dim(`${MARGIN}${left}; -v shows them`),
    hooks.length > 0 && "",
  ];
}

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
  { title: "MEAN", cell: ({ mean_ms }) => milliseconds(mean_ms), right: true, rare: true },
  { title: "P95", cell: ({ p95_ms }) => milliseconds(p95_ms), right: true },
  { title: "LAST", cell: ({ last_run }) => ago(last_run), right: true, rare: true },
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
  const match = matchingSession(wanted, activity.sessions(since));
  if (match !== undefined) return match;
  throw new TenterhookError(
    "unknown_session",
    `No session that begins with ${JSON.stringify(wanted)} was recorded since ${since.toISOString()}.`,
  );
}
