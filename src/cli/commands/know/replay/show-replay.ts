import { isRecord } from "../../../../core/base/json.ts";
import type { ChangedCall, Replay } from "../../../../know/replay/tally.ts";
import { subjectOf } from "../../../../shared/call-text.ts";
import type { HookTally } from "../../../../shared/replay.ts";
import type { Block } from "../../../command-line/screen/report.ts";
import {
  bold,
  columns,
  counted,
  cut,
  cyan,
  dim,
  harmlessLine,
  harmlessName,
  moment,
  padded,
  red,
  shortPath,
  yellow,
} from "../../../command-line/screen/text.ts";

const MARGIN = 17;
const SHOWN = 10;
const SHOWN_COMMANDS = 5;

/** What a replay has found: with `all` everything, not only the beginning of each list. */
export function replayBlocks(found: Replay, all: boolean, isCut: boolean, cwd: string): Block {
  const { would, events, sessions, by_hook, changed, against, unjudged, not_evaluated } = found;
  if (events === 0 && found.unreadable === 0)
    return [
      "  No recorded sessions here. Name files or folders, or leave out --since, --agent and --project.",
    ];
  const list = (title: string, rows: readonly string[], most: number): Block => {
    const shown = all ? rows : rows.slice(0, most);
    const left = rows.length - shown.length;
    return ({ width }) => [
      ...shown.map((row, at) => line(at === 0 ? title : "", cut(row, width - MARGIN))),
      ...(left > 0 ? [line("", dim(`and ${number(left)} more: --all`))] : []),
      ...(rows.length > 0 ? [""] : []),
    ];
  };
  return [
    isCut && ["  Ended before all was read: this is what was found so far.", ""],
    line("Read", `${counted(sessions, "session")}, ${number(events)} ${events === 1 ? "event" : "events"}`),
    line(
      "Would deny",
      `${padded(bold(red(number(would.deny))), 6)} ${dim(`in ${counted(found.denied_sessions, "session")}`)}`,
    ),
    line("Would ask", `${padded(bold(yellow(number(would.ask))), 6)} ${dim(perDay(would.ask, found))}`),
    would.rewrite > 0 && line("Would rewrite", bold(cyan(number(would.rewrite)))),
    line("Unchanged", percent(would.same, events)),
    "",
    against && [
      line("Newly stopped", number(against.newly_stopped)),
      line("Let through", number(against.newly_let_through)),
      line("Other reason", number(against.other_reason)),
      "",
    ],
    list("Most often", hookLines(by_hook), SHOWN),
    (all || against !== undefined) &&
      list(
        "Changed",
        changed.map((call) => changedLine(call, cwd)),
        SHOWN,
      ),
    list(
      "Not looked at",
      unjudged.map(({ command, calls }) => `${padded(number(calls), 6, true)}  ${harmlessLine(command)}`),
      SHOWN_COMMANDS,
    ),
    not_evaluated.map(({ hook, events: count }) =>
      dim(
        `  ${harmlessName(hook)} was not asked about ${counted(count, "event")}: --run starts what it needs.`,
      ),
    ),
    unreadableLines(found, cwd),
    found.left_out > 0 && `  ${number(found.left_out)} more changed calls are counted, but not listed.`,
    (not_evaluated.length > 0 || found.unreadable > 0 || found.left_out > 0) && "",
    changed.length > 0 && [
      dim("  tenterhook replay --html report.html shows each call."),
      dim("  --save cases.yaml keeps them as tests."),
    ],
  ];
}

function line(title: string, text: string): string {
  return `  ${padded(title, MARGIN - 2)}${text}`.trimEnd();
}

/** How many lines can't be read, and where the first of them are. */
export function unreadableLines({ unreadable, unreadable_places }: Replay, cwd: string): readonly string[] {
  if (unreadable === 0) return [];
  const places = unreadable_places.slice(0, SHOWN).map(({ file, line, why }) => {
    const place = `${shortPath(file, cwd)}${line === undefined ? "" : `:${line}`}`;
    return `    ${harmlessLine(place)}: ${harmlessLine(why)}`;
  });
  const more = unreadable > places.length ? [`    and ${number(unreadable - places.length)} more`] : [];
  return [
    `  ${unreadable === 1 ? "1 line" : `${number(unreadable)} lines`} could not be read:`,
    ...places,
    ...more,
  ];
}

function hookLines(tallies: readonly HookTally[]): readonly string[] {
  const widest = Math.max(...tallies.map(({ hook }) => columns(harmlessName(hook))));
  return tallies.flatMap(({ hook, rule, deny, ask, rewrite }) => {
    const counts = [
      ["deny", deny],
      ["ask", ask],
      ["rewrite", rewrite],
    ] as const;
    const by = `${padded(harmlessName(hook), widest)}  ${harmlessLine(rule ?? "")}`;
    return counts.flatMap(([would, count]) =>
      count === 0 ? [] : [`${padded(would, 8)}${padded(number(count), 5, true)}  ${by}`],
    );
  });
}

function changedLine({ now, against, tool_name, tool_input, agent, at }: ChangedCall, cwd: string): string {
  const time = at === undefined ? "" : `${moment(at)}  `;
  const before = against === undefined ? "" : ` (was ${against.action})`;
  return `${time}${now.action}${before}  ${harmlessName(agent)}  ${harmlessLine(callText(tool_name, tool_input, cwd))}`;
}

/** A call in one line. */
function callText(tool: string, input: unknown, cwd: string): string {
  if (!isRecord(input)) return tool;
  const { command, file_path, path, prompt } = input;
  if (typeof command === "string") return command;
  const file = [file_path, path].find((one) => typeof one === "string");
  if (typeof file === "string") return `${tool} ${shortPath(file, cwd)}`;
  return typeof prompt === "string" ? prompt : `${tool} ${subjectOf(input)}`;
}

function number(value: number): string {
  return value.toLocaleString("en");
}

function percent(part: number, whole: number): string {
  if (part === whole) return "100 %";
  // Never rounded up to all: somebody would be told that nothing changes.
  return `${Math.floor((part / whole) * 100)} %`;
}

const DAY_MILLISECONDS = 86_400_000;

function perDay(count: number, { from, until }: Replay): string {
  if (count === 0 || from === undefined || until === undefined) return "";
  const days = Math.max(1, (Date.parse(until) - Date.parse(from)) / DAY_MILLISECONDS);
  const each = count / days;
  return each < 1 ? "less than 1 a day" : `about ${Math.round(each)} a day`;
}
