import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isRecord } from "../../../core/base/json.ts";
import type { HookRun } from "../../../core/decide/decision.ts";
import type { JournalRecord } from "../../../journal/record.ts";
import { decidedIn, finalAction, laterOutcome, saidBy } from "../../../journal/verdict.ts";
import { readJournal } from "../../../project.ts";
import {
  type CommandRun,
  flagOption,
  type Invocation,
  numberOption,
  textOption,
} from "../../command-line/command.ts";
import {
  columns,
  cutWords,
  dayName,
  hanging,
  harmless,
  harmlessLine,
  harmlessName,
  padded,
  timeOfDay,
  wrapped,
} from "../../command-line/screen/text.ts";
import { sinceTime } from "../../command-line/since.ts";
import { recordedProjects, recordsOfProject } from "../../configured-hooks/recorded-projects.ts";

const POLL_MILLISECONDS = 300;
const USUAL_LINES = 50;
/** Events that are about a call before it runs: the call says enough. */
const ABOUT_CALLS: ReadonlySet<string> = new Set(["PreToolUse", "PermissionRequest", "PermissionDenied"]);
const SHORTEST_ID = 4;
/** Columns below which a reason says nothing. */
const LEAST_OF_REASON = 12;

/** A record with the project it belongs to. */
interface Shown {
  readonly record: JournalRecord;
  readonly project: string | undefined;
}

export const run: CommandRun = async (invocation) => {
  const { signal, screen, json } = invocation;
  let since = sinceTime(textOption(invocation, "since") ?? "7d");
  const most = numberOption(invocation, "lines") ?? USUAL_LINES;
  const printed = new Set<string>();
  const show = json ? (shown: readonly Shown[]) => showJson(shown, invocation) : printer(invocation);
  const fresh = async (): Promise<readonly Shown[]> => {
    const found = await recordsSince(invocation, since);
    return found.filter(({ record: { session_id, event_id, type } }) => {
      const key = `${session_id} ${event_id} ${type}`;
      return !printed.has(key) && printed.add(key);
    });
  };
  const first = await fresh();
  show(first.slice(-most));
  if (!flagOption(invocation, "follow")) {
    if (json) return undefined;
    if (first.length === 0)
      screen.print(
        `Nothing to show${flagOption(invocation, "allProjects") ? "" : " of this project. Every project: --all-projects"}. Decisions without anything to say: --all.`,
      );
    else if (first.length > most)
      screen.print(
        "",
        screen.paint.dim(`  The last ${most} of ${first.length}: -n ${first.length} shows all.`),
      );
    return undefined;
  }
  while (!signal.aborted) {
    // Other processes may write what happened a little earlier.
    since = new Date(Date.now() - 60_000);
    await sleep(POLL_MILLISECONDS, undefined, { signal }).catch(() => undefined);
    if (!signal.aborted) show(await fresh());
  }
};

/** The records that are asked for, in the order of time, with what came of each. */
async function recordsSince(invocation: Invocation, since: Date): Promise<readonly Shown[]> {
  const { environment, signal, cwd } = invocation;
  const all = flagOption(invocation, "all");
  const recorded = readJournal({ environment, since, signal });
  const projectOf = recordedProjects();
  const found: Shown[] = [];
  const later = new Map<string, JournalRecord["happened"]>();
  const records = flagOption(invocation, "allProjects") ? recorded : recordsOfProject(recorded, cwd);
  for await (const record of records) {
    const project = projectOf(record);
    const outcome = laterOutcome(record);
    const key = callOf(record);
    if (outcome !== undefined && key !== undefined) later.set(key, outcome);
    const isRefusal = record.event.hook_event_name === "PermissionDenied";
    if (all || isRefusal || record.happened !== undefined || hasSomething(record))
      found.push({ record, project });
  }
  const judged = new Set(
    found.flatMap(({ record }) => (decidedIn(record)[0]?.[0] === "continue" ? [] : [callOf(record)])),
  );
  return found
    .map(({ record, project }) => ({ record: withOutcome(record, later), project }))
    .filter(({ record }) => (all || !isTold(record, judged)) && isWanted(record, invocation))
    .sort(({ record: a }, { record: b }) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
}

/** True for the refusal of a call about which there is a line already: that of the hooks which refused or asked. */
function isTold(record: JournalRecord, judged: ReadonlySet<string | undefined>): boolean {
  const { event } = record;
  return event.hook_event_name === "PermissionDenied" && !hasSomething(record) && judged.has(callOf(record));
}

/** The tool call that a record is about. */
function callOf({ session_id, event }: JournalRecord): string | undefined {
  const { tool_use_id } = event;
  return typeof tool_use_id === "string" ? `${session_id} ${tool_use_id}` : undefined;
}

/** A question with its answer, and a refusal that no hook has made as a refusal. */
function withOutcome(record: JournalRecord, later: ReadonlyMap<string, JournalRecord["happened"]>) {
  const { event, decision, happened } = record;
  if (happened !== undefined) return record;
  const isAsked = decision?.action === "ask" && event.hook_event_name === "PreToolUse";
  const outcome = isAsked
    ? later.get(callOf(record) ?? "")
    : event.hook_event_name === "PermissionDenied"
      ? laterOutcome(record)
      : undefined;
  return outcome === undefined ? record : { ...record, happened: outcome };
}

function isWanted(record: JournalRecord, invocation: Invocation): boolean {
  const { event, runs } = record;
  const agent = textOption(invocation, "agent");
  const hook = textOption(invocation, "hook");
  const verdict = textOption(invocation, "verdict");
  const all = flagOption(invocation, "all");
  if (agent !== undefined && event.host !== agent) return false;
  if (hook !== undefined && !runs.some((one) => one.name === hook && (all || hasResult(one)))) return false;
  if (verdict === undefined) return true;
  if (verdict === "failed") return runs.some(({ failure }) => failure !== undefined);
  return finalAction(record) === verdict || decidedIn(record).some(([said]) => said === verdict);
}

function hasSomething({ runs, decision }: JournalRecord): boolean {
  return runs.some(hasResult) || decision?.keep_going !== undefined;
}

function hasResult({ outcome, failure, would }: HookRun): boolean {
  return outcome !== undefined || failure !== undefined || would !== undefined;
}

function showJson(shown: readonly Shown[], { screen }: Invocation): void {
  for (const { record, project } of shown)
    screen.jsonLine(project === undefined ? record : { ...record, project });
}

/** Prints one line for each decision; on a terminal the days are headings. */
function printer(invocation: Invocation): (shown: readonly Shown[]) => void {
  const { screen } = invocation;
  const { bold, dim, red, yellow, green } = screen.paint;
  const colours: Readonly<Record<string, (text: string) => string>> = {
    deny: red,
    end: red,
    failed: red,
    ask: yellow,
    "keep-going": yellow,
    allow: green,
  };
  const isWide = !Number.isFinite(screen.width);
  const everywhere = flagOption(invocation, "allProjects");
  const verbose = flagOption(invocation, "verbose");
  let day = "";
  return (shown) => {
    const shortId = everywhere ? shortIds(shown.map(({ record }) => record.session_id)) : undefined;
    const lines = shown.map((one) => lineOf(one, shortId));
    const width = (key: "who" | "verdict" | "call" | "hooks"): number =>
      Math.max(...lines.map((line) => columns(line[key])));
    const room = screen.width - "  00:00    ".length - width("who") - "  ".length - width("verdict");
    // Names of hooks stay whole; the call gets the rest, and the reason what both leave.
    const callRoom = isWide ? 0 : Math.max(0, Math.min(width("call"), room - 2 - width("hooks")));
    for (const { time, who, verdict, word, call, hooks, because, runs } of lines) {
      const date = dayName(time);
      if (!isWide && date !== day) screen.print(`  ${bold(date)}`);
      day = date;
      const at = isWide ? `${time.slice(0, 19).replace("T", " ")}  ` : `  ${dim(timeOfDay(time))}  `;
      const what = padded(isWide ? call : cutWords(call, callRoom), callRoom);
      const colour = colours[word] ?? dim;
      const head = `${at}${padded(who, width("who"))}  ${colour(padded(verdict, width("verdict")))}`;
      const why = [hooks, because].filter((part) => part !== "").join(": ");
      const rest = room - callRoom - 2;
      const isWhole = columns(why) <= rest || hooks === "" || rest > columns(hooks) + LEAST_OF_REASON;
      screen.print(`${head}  ${what}  ${isWhole ? cutWords(why, rest) : hooks}`.trimEnd());
      if (verbose) for (const one of runs) screen.print(...runLines(one, invocation));
    }
  };
}

/** What happens to a decision that the agent did not carry out as it is. */
const CAME: Readonly<Record<string, string>> = { deny: "refused", allow: "allowed", continue: "went on" };

function lineOf({ record, project }: Shown, shortId: ((id: string) => string) | undefined) {
  const { time, event, happened, session_id, type } = record;
  const runs = record.runs.filter(hasResult);
  const failed = runs.find(({ failure }) => failure !== undefined);
  const [[said, reason] = ["continue", undefined] as const] = decidedIn(record);
  const word = type === "run" ? "later" : said === "continue" && failed !== undefined ? "failed" : said;
  const came = happened === undefined ? undefined : (CAME[happened.action] ?? happened.action);
  const verdict = came === undefined ? word : word === "continue" ? came : `${word} → ${came}`;
  const agent = harmlessName(String(event.host ?? "-"));
  const place = project === undefined ? "" : ` in ${harmlessName(basename(project))}`;
  const behind = runs.filter((one) => isBehind(one, word));
  // Where nobody else had anything to say, a shadow has.
  const shadows =
    behind.length === 0 && reason === undefined ? runs.filter(({ would }) => would !== undefined) : [];
  const names = [...new Set([...behind, ...shadows].map(({ name }) => name))];
  const hooks = names.length > 1 ? `${names[0]} +${names.length - 1}` : (names[0] ?? "");
  const failure = failed?.failure;
  const because =
    happened?.reason ??
    reason ??
    (failure && `failed (${failure.kind}): ${failure.message}`) ??
    shadows.flatMap(wouldTexts)[0] ??
    "";
  const subject = [
    ...(ABOUT_CALLS.has(event.hook_event_name) ? [] : [event.hook_event_name]),
    event.tool_name,
    subjectOf(event),
  ].filter((part) => typeof part === "string");
  return {
    time,
    who: shortId === undefined ? agent : `${agent}${place} ${shortId(session_id)}`,
    word: happened?.action === "deny" ? "deny" : word,
    verdict,
    call: harmlessLine(subject.join(" ")),
    hooks: harmlessName(hooks),
    because: harmlessLine(because),
    runs,
  };
}

/** The beginnings of ids, long enough to differ. */
function shortIds(ids: readonly string[]): (id: string) => string {
  const all = [...new Set(ids)];
  const differ = (length: number): boolean =>
    new Set(all.map((id) => id.slice(0, length))).size === all.length;
  let length = SHORTEST_ID;
  while (!differ(length)) length += 1;
  return (id) => harmlessName(id.slice(0, length));
}

/** True for a hook that said what counts, or that failed. */
function isBehind({ outcome, failure }: HookRun, word: string): boolean {
  return failure !== undefined || (outcome !== undefined && saidBy(outcome).some(([said]) => said === word));
}

/** What a shadow would have said. */
function wouldTexts({ would }: HookRun): readonly string[] {
  return would === undefined ? [] : textsOf(would).map((text) => `would ${text}`);
}

function textsOf(said: NonNullable<HookRun["outcome"]>): readonly string[] {
  return saidBy(said).map(([word, why]) => (why ? `${word}: ${why}` : word));
}

/** Everything that one hook said or would have said, and its rule. */
function runLines(run: HookRun, { screen }: Invocation): readonly string[] {
  const { name, outcome, failure, rule } = run;
  const { dim, red } = screen.paint;
  const would = wouldTexts(run);
  const said = outcome === undefined && would.length > 0 ? [] : textsOf(outcome ?? { action: "continue" });
  const texts =
    failure === undefined ? [...said, ...would] : [red(`failed (${failure.kind}): ${failure.message}`)];
  return [
    ...texts.map((text) => hanging("        ", `${harmlessName(name)}  ${harmless(text)}`, screen.width, 10)),
    ...(rule === undefined
      ? []
      : [dim(wrapped(`rule ${rule.index + 1}: ${harmlessLine(rule.source)}`, screen.width, "            "))]),
  ];
}

/** The command, file or address that a call is about. */
function subjectOf({ tool_input: input, prompt }: JournalRecord["event"]): unknown {
  if (!isRecord(input)) return prompt;
  return input.command ?? input.file_path ?? input.url ?? input.path ?? JSON.stringify(input);
}
