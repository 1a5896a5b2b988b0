import { ConfigError } from "../../../config.ts";
import { withoutUndefined } from "../../../core/base/json.ts";
import { NOT_TRUSTED, TRUST_SHOWS } from "../../../core/base/untrusted.ts";
import { assumedRow, EVENTS } from "../../../core/events/event-table.ts";
import type { Hook } from "../../../core/registration/hook.ts";
import { compileMatcher } from "../../../core/registration/matcher.ts";
import { PERMISSIONS } from "../../../install/judgement.ts";
import { type CommandRun, flagOption, type Invocation, textOption } from "../../command-line/command.ts";
import { type Block, pageWidth, paragraph, type Report } from "../../command-line/screen/report.ts";
import { printReport } from "../../command-line/screen/screen.ts";
import { type Column, tableLines } from "../../command-line/screen/table.ts";
import {
  bold,
  columns,
  counted,
  dim,
  harmless,
  harmlessName,
  milliseconds,
  moment,
  padded,
  red,
  shortPath,
  wrapped,
  yellow,
} from "../../command-line/screen/text.ts";
import { sinceTime } from "../../command-line/times.ts";
import { unknownName } from "../../command-line/usage-error.ts";
import { goneText } from "../../configured-hooks/gone-text.ts";
import { guardSentence } from "../../configured-hooks/guard.ts";
import { recordedName, turnPrograms } from "../../configured-hooks/turn-programs.ts";
import { COUNTS, type HookView, hooksInForce } from "../../configured-hooks/view.ts";
import { EVENTS_HINT, matcherPorts } from "./explain/why.ts";

export const run: CommandRun = async (invocation) => {
  const { cwd, names } = invocation;
  const [name] = names;
  if (name !== undefined) return (await import("./show.ts")).show(name, invocation);
  const since = sinceTime(textOption(invocation, "since") ?? "7d");
  const { hooks, config, judgement, stats } = await hooksInForce(invocation, since);
  const event = textOption(invocation, "event");
  const wanted = event === undefined ? undefined : knownEventName(event);
  const tool = textOption(invocation, "tool");
  const listed = hooks
    .filter(
      ({ view, hook }) =>
        (wanted === undefined || view.events.includes(wanted)) &&
        (tool === undefined || wantsTool(hook, tool)) &&
        fitsFlags(view, invocation),
    )
    .map(({ view }) => view);
  // Turn programs have no tool and no state, so that every other filter excludes them.
  const programs = (await turnPrograms(invocation, config)).filter(
    ({ event: name }) =>
      (wanted === undefined || wanted === name) &&
      !FILTERS.some((key) => key !== "event" && invocation.options[key] !== undefined),
  );
  const gone = goneText(config.trust, cwd);
  const isBroken = config.broken !== undefined;
  const isGuardTold = listed.length === hooks.length && (judgement.hooks.length > 0 || isBroken);
  const isEmpty =
    listed.length + programs.length === 0 && (hooks.length > 0 || (gone === undefined && !isBroken));
  const nothing = judgement.hooks.includes(PERMISSIONS)
    ? "No hooks here. The permissions decide."
    : "No hooks here. tenterhook init writes a first configuration.";
  const report: Report = {
    json: {
      hooks: listed,
      ...withoutUndefined({
        gone: config.trust.gone,
        turn_hooks: programs.length === 0 ? undefined : programs,
      }),
    },
    blocks: [
      listed.length > 0 && [hookLines(listed, invocation), summary(listed)],
      isEmpty && (hooks.length === 0 ? nothing : "No hook matches."),
      listed.length > 0 && programs.length > 0 && "",
      programs.map((program) => {
        const { command, file, trusted } = program;
        const state = trusted
          ? counted(stats.get(recordedName(program))?.runs ?? 0, "run")
          : `${NOT_TRUSTED}: ${TRUST_SHOWS}`;
        return harmless(`${recordedName(program)}  ${command.join(" ")}  ${shortPath(file, cwd)}  ${state}`);
      }),
      gone && paragraph(gone, red),
      isGuardTold && ["", paragraph(guardSentence(judgement, cwd))],
    ],
  };
  if (config.broken === undefined) return report;
  printReport(report, invocation);
  throw new ConfigError(config.broken.problems);
};

/** The name of an event as the table spells it. */
function knownEventName(name: string): string {
  if (name.includes(":")) return name;
  const known = Object.keys(EVENTS).find(
    (one) => one.toLowerCase() === name.toLowerCase().replaceAll(/[_-]/g, ""),
  );
  if (known !== undefined) return known;
  throw unknownName("event", name, Object.keys(EVENTS), EVENTS_HINT);
}

/** By pack, or by file for hooks that are written there; inside in the order in which they are asked. */
function hookLines(listed: readonly HookView[], invocation: Invocation): Block {
  const verbose = flagOption(invocation, "verbose");
  const isWhole = FILTERS.every((name) => invocation.options[name] === undefined);
  const groups = [...new Set(listed.map(groupOf))].map((group) => {
    const members = listed.filter((view) => groupOf(view) === group);
    return { members, rows: isWhole && !verbose ? members.filter(isSpecial) : members };
  });
  const shown = groups.flatMap(({ rows }) => rows);
  const nameColumns = Math.max(...groups.flatMap(({ members }) => members[0]?.pack ?? []).map(columns));
  const first = groups.find(({ rows }) => rows.length > 0);
  return (size) => {
    const width = pageWidth(size);
    const [head = "", ...lines] = rowsOf(shown, verbose, width - MARGIN.length);
    return groups.flatMap((group, at) => [
      ...(shown.length > 0 && at > 0 ? [""] : []),
      `  ${headingOf(group.members, nameColumns, invocation.cwd)}`.trimEnd(),
      ...(group === first ? [bold(`${MARGIN}${head}`)] : []),
      ...group.rows.flatMap((view) => {
        const row = `${MARGIN}${lines[shown.indexOf(view)] ?? ""}`;
        const problem = view.trusted && view.problem;
        return [
          view.enabled ? row : dim(row),
          ...(problem ? [red(wrapped(`will fail: ${harmless(problem)}`, width, `${MARGIN}  `))] : []),
        ];
      }),
    ]);
  };
}

const MARGIN = "    ";

function summary(listed: readonly HookView[]): Block {
  const failing = listed.filter(
    ({ problem, enabled, trusted }) => problem !== undefined && enabled && trusted,
  ).length;
  const gone = listed.filter(({ gone_files }) => gone_files !== undefined).length;
  const untrusted = listed.filter(({ trusted }) => !trusted).length - gone;
  const parts = [
    counted(listed.length, "hook"),
    `${listed.filter(({ enabled }) => !enabled).length} off`,
    `${untrusted} ${NOT_TRUSTED} (${TRUST_SHOWS})`,
    `${failing + gone} will fail`,
  ].filter((part) => !part.startsWith("0 "));
  return ["", paragraph(parts.join(", "), failing + gone + untrusted > 0 ? yellow : undefined)];
}

/** The head and a line for each hook, with as many columns as fit. */
function rowsOf(shown: readonly HookView[], verbose: boolean, width: number): readonly string[] {
  const most = verbose ? [...COLUMNS, ...MORE] : COLUMNS;
  const whole = tableLines(most, shown, Number.POSITIVE_INFINITY);
  const fits = (lines: readonly string[]): boolean => lines.every((line) => columns(line) <= width);
  const tables = [whole, tableLines(COLUMNS, shown, width)];
  return tables.find(fits) ?? tableLines(FEWEST, shown, width);
}

/** A hook that its pack's line does not tell enough about. */
function isSpecial(view: HookView): boolean {
  return view.pack === undefined || stateOf(view) !== "on";
}

/** Options that leave hooks out. */
const FILTERS = ["event", "tool", "disabled", "failing"];

function groupOf({ pack, scope, file }: HookView): string {
  return pack ?? (file === undefined ? scope : `${scope} ${file}`);
}

const COLUMNS: readonly Column<HookView>[] = [
  { title: "NAME", cell: ({ name }) => harmlessName(name), least: 12 },
  { title: "EVENTS", cell: ({ events }) => harmlessName(events.join(" ")), least: 8 },
  { title: "STATE", cell: stateOf },
  ...COUNTS,
];

/** For a wide screen. */
const MORE: readonly Column<HookView>[] = [
  { title: "MEAN", cell: ({ runs, mean_ms }) => (runs === 0 ? "-" : milliseconds(mean_ms)), right: true },
  { title: "PRIO", cell: ({ priority }) => String(priority), right: true },
  { title: "LINE", cell: ({ line }) => String(line ?? "-"), right: true },
  { title: "TYPE", cell: ({ type }) => type },
];

/** For a very narrow screen. */
const FEWEST = COLUMNS.filter(({ title }) => ["NAME", "STATE", "RUNS"].includes(title));

function stateOf({ enabled, off_until, trusted, gone_files, problem, mode }: HookView): string {
  if (!enabled) return off_until === undefined ? "off" : `off until ${moment(off_until)}`;
  if (gone_files !== undefined) return "script gone";
  if (!trusted) return "untrusted";
  if (mode === "shadow") return "shadow";
  return problem === undefined ? "on" : "fails";
}

/** A pack with what it did and where it is used, or a scope and its file. */
function headingOf(members: readonly HookView[], nameColumns: number, cwd: string): string {
  const { pack, file, line = 1, scope = "" } = members[0] ?? {};
  const path = file === undefined ? "" : harmlessName(shortPath(file, cwd));
  if (pack === undefined) return `${bold(scope)}  ${dim(path)}`;
  const sum = (key: "runs" | "denials" | "asks"): number => members.reduce((all, view) => all + view[key], 0);
  const did = [
    `${counted(members.length, "hook")}, ${counted(sum("runs"), "run")}`,
    ...(sum("denials") === 0 ? [] : [`${sum("denials")} stopped`]),
    ...(sum("asks") === 0 ? [] : [`${sum("asks")} asked`]),
  ].join(", ");
  return `${bold(padded(harmlessName(pack), nameColumns))}  ${did}  ${dim(`${path}:${line}`)}`;
}

function fitsFlags({ enabled, problem }: HookView, invocation: Invocation): boolean {
  return (
    !(flagOption(invocation, "disabled") && enabled) &&
    !(flagOption(invocation, "failing") && problem === undefined)
  );
}

function wantsTool({ events, matcher: { tools } }: Hook, tool: string): boolean {
  if (tools !== undefined)
    return compileMatcher({ tools }, "tools", matcherPorts(), assumedRow).tool?.(tool) === true;
  return events.some((event) => assumedRow(event).about === "tool_name");
}
