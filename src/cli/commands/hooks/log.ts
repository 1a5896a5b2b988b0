import { setTimeout as sleep } from "node:timers/promises";
import type { HookRun } from "../../../core/decide/decision.ts";
import type { Activity, Recorded } from "../../../journal/activity/activity.ts";
import { BEHIND, openActivity } from "../../../journal/activity/open-activity.ts";
import { projectOf } from "../../../journal/projects.ts";
import type { JournalRecord } from "../../../journal/record.ts";
import { recordLine } from "../../../journal/record-line.ts";
import {
  decidedIn,
  finalAction,
  hasResult,
  hasSomething,
  isLater,
  laterOutcome,
  saidBy,
} from "../../../journal/verdict.ts";
import { tagsOf } from "../../../shared/tags.ts";
import {
  type CommandRun,
  flagOption,
  type Invocation,
  numberOption,
  textOption,
} from "../../command-line/command.ts";
import { type Block, pageWidth, paragraph } from "../../command-line/screen/report.ts";
import {
  bold,
  columns,
  cut,
  cutWords,
  dayName,
  dim,
  green,
  hanging,
  harmlessLine,
  harmlessName,
  MOST_OF_RULE,
  padded,
  red,
  timeOfDay,
  yellow,
} from "../../command-line/screen/text.ts";
import { sinceTime } from "../../command-line/times.ts";
import { usageError } from "../../command-line/usage-error.ts";

const POLL_MILLISECONDS = 300;
const USUAL_LINES = 50;
/** What people read whole: the call, and below it why. */
const STOPPED: ReadonlySet<string> = new Set(["deny", "end", "ask", "failed"]);
/** Where the second line of a stop begins: below the agent. */
const WHY_COLUMNS = "  00:00  ".length;

export const run: CommandRun = async (invocation) => {
  if (flagOption(invocation, "stats") || flagOption(invocation, "costs"))
    return (await import("./stats.ts")).run(invocation);
  if (textOption(invocation, "session") !== undefined)
    throw usageError("--session needs --stats or --costs.", "tenterhook log --stats --session ID");
  const { signal, json, environment, screen } = invocation;
  const since = sinceTime(textOption(invocation, "since") ?? "7d");
  const most = numberOption(invocation, "n") ?? USUAL_LINES;
  const { activity, whole } = await openActivity(environment);
  try {
    const printed = new Set<string>();
    const asJson = ({ record, project }: Recorded): void =>
      screen.jsonLine(project === undefined ? record : { ...record, project });
    const show = json ? (shown: readonly Recorded[]) => shown.forEach(asJson) : printer(invocation);
    const fresh = (from: Date, limit: number): readonly Recorded[] =>
      recordsSince(activity, invocation, from, limit).filter(({ record }) => {
        const key = `${record.session_id} ${record.event_id} ${record.type}`;
        return !printed.has(key) && printed.add(key);
      });
    const first = fresh(since, most + 1);
    show(first.slice(-most));
    if (!flagOption(invocation, "follow")) {
      sayWhatIsLeft(first.length, most, whole, invocation);
      return sayStopped(activity, since, invocation);
    }
    while (!signal.aborted) {
      await sleep(POLL_MILLISECONDS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) break;
      await activity.refresh(POLL_MILLISECONDS);
      // Other processes may write what happened a little earlier.
      show(fresh(new Date(Date.now() - 60_000), Number.POSITIVE_INFINITY));
    }
  } finally {
    activity.close();
  }
};

function sayWhatIsLeft(found: number, most: number, whole: boolean, invocation: Invocation): void {
  const { screen, json } = invocation;
  if (!whole) screen.tell(BEHIND);
  if (json) return;
  const place = flagOption(invocation, "everywhere") ? "" : " for this project. Every project: --everywhere";
  if (found === 0) screen.print(`Nothing to show${place}. Decisions without anything to say: --all.`);
  else if (found > most) screen.print("", dim(`  The last ${most}; -n ${10 * most} shows more.`));
}

/** Says how many of all calls were stopped, where only those are shown, and all of those. */
function sayStopped(activity: Activity, since: Date, invocation: Invocation): void {
  const { screen, json, options } = invocation;
  const isPart = options.hook !== undefined || options.agent !== undefined;
  if (!flagOption(invocation, "stopped") || json || isPart) return;
  const { days } = activity.stats({ since, project: projectWanted(invocation) });
  const sum = (key: "stopped" | "decisions"): number => days.reduce((all, day) => all + day[key], 0);
  if (sum("stopped") > 0)
    screen.print(
      "",
      dim(`  ${sum("stopped")} of ${sum("decisions").toLocaleString("en")} calls were stopped.`),
    );
}

function projectWanted(invocation: Invocation): string | undefined {
  return flagOption(invocation, "everywhere") ? undefined : projectOf(invocation.cwd);
}

/** The last of the records that are asked for, in the order of time, with what came of each. */
function recordsSince(
  activity: Activity,
  invocation: Invocation,
  since: Date,
  most: number,
): readonly Recorded[] {
  const all = flagOption(invocation, "all");
  const project = projectWanted(invocation);
  const found: Recorded[] = [];
  for (const one of activity.records({ since, project, hook: textOption(invocation, "hook"), all })) {
    const { record } = one;
    const about = (): readonly JournalRecord[] => {
      const { tool_use_id } = record.event;
      return typeof tool_use_id === "string" ? activity.aboutCall(record.session_id, tool_use_id) : [];
    };
    const shown = withOutcome(record, about);
    if ((all || !isTold(record, about)) && isWanted(shown, invocation)) found.push({ ...one, record: shown });
    if (found.length >= most) break;
  }
  return found.reverse();
}

/** True for what came of a call about which there is a line already: that of the hooks which refused or asked. */
function isTold(record: JournalRecord, about: () => readonly JournalRecord[]): boolean {
  if (!isLater(record) || hasSomething(record)) return false;
  return about().some((other) => decidedIn(other)[0]?.[0] !== "continue");
}

/** A question with its answer, and a refusal that no hook has made as a refusal. */
function withOutcome(record: JournalRecord, about: () => readonly JournalRecord[]): JournalRecord {
  const { event, decision, happened } = record;
  if (happened !== undefined) return record;
  const isAsked = decision?.action === "ask" && event.hook_event_name === "PreToolUse";
  const outcome = isAsked
    ? about()
        .flatMap((one) => laterOutcome(one) ?? [])
        .at(-1)
    : isLater(record)
      ? laterOutcome(record)
      : undefined;
  return outcome === undefined ? record : { ...record, happened: outcome };
}

function isWanted(record: JournalRecord, invocation: Invocation): boolean {
  const { event, runs } = record;
  const agent = textOption(invocation, "agent");
  const hook = textOption(invocation, "hook");
  const verdict = flagOption(invocation, "stopped") ? "deny" : textOption(invocation, "verdict");
  const all = flagOption(invocation, "all");
  if (agent !== undefined && event.host !== agent) return false;
  if (hook !== undefined && !runs.some((one) => one.name === hook && (all || hasResult(one)))) return false;
  if (verdict === undefined) return true;
  if (verdict === "failed") return runs.some(({ failure }) => failure !== undefined);
  return finalAction(record) === verdict || decidedIn(record).some(([said]) => said === verdict);
}

const COLOURS: Readonly<Record<string, (text: string) => string>> = {
  deny: red,
  end: red,
  failed: red,
  ask: yellow,
  "keep-going": yellow,
  allow: green,
};

/** Prints one line for each decision; on a terminal the days are headings. */
function printer(invocation: Invocation): (shown: readonly Recorded[]) => void {
  const { screen } = invocation;
  const isPipe = !Number.isFinite(screen.width);
  const everywhere = flagOption(invocation, "everywhere");
  const verbose = flagOption(invocation, "verbose");
  let day = "";
  return (shown) => {
    const screenWidth = pageWidth(screen);
    const tag = everywhere ? tagsOf(shown.map(({ record }) => record.session_id)) : undefined;
    const lines = shown.map((one) => recordLine(one, tag));
    const width = (key: "who" | "verdict" | "call" | "hooks"): number =>
      Math.max(...lines.map((line) => columns(line[key])));
    const room = screenWidth - "  00:00    ".length - width("who") - "  ".length - width("verdict");
    // What hooks say is in a column of its own where most of it has room there.
    const callRoom = isPipe ? 0 : Math.min(width("call"), Math.max(0, room - 2 - width("hooks")));
    if (day === "" && lines.length > 0)
      screen.print(
        dim(
          `${isPipe ? padded("TIME", "2026-11-19 06:00:00  ".length) : "  TIME   "}${padded("AGENT", width("who"))}  ${padded("WHAT", width("verdict"))}  CALL`,
        ),
      );
    for (const { time, who, verdict, word, call, hooks, because, runs } of lines) {
      const date = dayName(time);
      if (!isPipe && date !== day) screen.print(`  ${bold(date)}`);
      day = date;
      const at = isPipe ? `${time.slice(0, 19).replace("T", " ")}  ` : `  ${dim(timeOfDay(time))}  `;
      const colour = COLOURS[word] ?? dim;
      const head = `${at}${padded(who, width("who"))}  ${colour(padded(verdict, width("verdict")))}`;
      const why = [hooks, because].filter((part) => part !== "").join(": ");
      const isStop = STOPPED.has(word) && because !== "";
      const line = `${head}  ${padded(call, callRoom)}  ${why}`.trimEnd();
      // A stop is shown in two lines on a terminal, whole; of the others, only the call is.
      if (columns(line) <= screenWidth && (isPipe || !isStop)) screen.print(line);
      else {
        screen.print(hanging(head, call, screenWidth, columns(head) + 2));
        const shown = isStop ? why : cutWords(why, screenWidth - WHY_COLUMNS);
        if (why !== "") screen.print(hanging("", shown, screenWidth, WHY_COLUMNS));
      }
      if (verbose) screen.print(runs.map(runBlock));
    }
  };
}

function textsOf(outcome: HookRun["outcome"]): readonly string[] {
  if (outcome === undefined) return [];
  return saidBy(outcome).map(([said, why]) => (why ? `${said}: ${why}` : said));
}

function runBlock({ name, outcome, failure, would, rule }: HookRun): Block {
  const texts =
    failure === undefined
      ? [...textsOf(outcome), ...textsOf(would).map((text) => `would ${text}`)]
      : [`failed (${failure.kind}): ${failure.message}`];
  const paint = failure && red;
  return [
    texts.map((text) => paragraph(`${harmlessName(name)}  ${text}`, paint, " ".repeat(10))),
    rule &&
      paragraph(
        `rule ${rule.index + 1}: ${cut(harmlessLine(rule.source), MOST_OF_RULE)}`,
        dim,
        " ".repeat(12),
      ),
  ];
}
