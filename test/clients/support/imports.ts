import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isRecord } from "../../../src/core/base/json.ts";
import type { Project } from "../../cli/support/project.ts";
import { trustProject } from "../../support/trust-project.ts";
import { type Client, type ClientResult, clientProject, type Step } from "./client.ts";

/** The moments at which every agent runs hooks. */
export type Moment = "before" | "after" | "prompt" | "stop";

/** A hook as an agent's file has it. */
export interface NativeHook {
  readonly command: string;
  readonly matcher?: string;
  readonly seconds: number;
}

/** A hook, by what it does when it has read its payload. MARK in its text is the name of its row. */
export interface ImportRow {
  readonly what: string;
  /** Lines for the shell. */
  readonly does: string;
}

/** What came of a row. */
export interface Seen {
  /** The tool ran as it was called; as it was rewritten. */
  readonly ran: boolean;
  readonly other: boolean;
  /** What the model read of the words of hooks and of the tool. */
  readonly read: readonly string[];
  /** How many requests the whole run had. */
  readonly requests: number;
}

/** Where we differ on purpose: what `import` says about it, and what is seen with us. */
export interface Difference extends Partial<Seen> {
  readonly report: string;
}

/** An agent whose hooks `tenterhook import` takes over. */
export interface ImportedAgent {
  readonly client: Client;
  /** Its hooks, below the project. */
  readonly file: string;
  /** What the file has next to the hooks. */
  readonly heading?: object;
  /** A hook as it stands in the list of its event. */
  entry(hook: NativeHook): object;
  readonly events: Readonly<Record<Moment, string>>;
  /** Rows of its own words, by moment. */
  readonly rows: Readonly<Record<Moment, readonly ImportRow[]>>;
  /** By moment and row. */
  readonly differences?: Readonly<Partial<Record<Moment, Readonly<Record<string, Difference>>>>>;
  /** Matchers, and calls on which they are tried. */
  readonly matchers: readonly string[];
  calls(folder: string): readonly Step[];
  /** Matchers that match more with us, and what `import` says about it. */
  readonly wider?: Readonly<Record<string, string>>;
  /** Numbers and the like that differ from run to run. */
  readonly varying?: readonly RegExp[];
}

type Way = "native" | "imported";

const SECONDS = 2;
const MOST_MILLISECONDS = 600_000;
const MARK = /ROW-\d+-/g;

/** What the hooks of all rows say, and what the tool prints. */
const WORDS = [
  "Not that.",
  "Sure?",
  "The build is red.",
  "Enough.",
  "There is more.",
  "Some text.",
  "It broke.",
  "printed",
];

/** What hooks of all agents do. */
const ALWAYS: readonly ImportRow[] = [
  { what: "says nothing", does: "" },
  { what: "ends with 2 and a reason", does: "echo 'Not that.' >&2; exit 2" },
  { what: "ends with 2 without a word", does: "exit 2" },
  { what: "is killed", does: "kill -9 $$" },
  { what: "prints text", does: "echo 'Some text.'" },
];
/** The calls of all rows are made in one run; prompts and ends of turns need a run for each row. */
const OF_CALLS: readonly ImportRow[] = [
  { what: "ends with 1", does: "echo 'It broke.' >&2; exit 1" },
  { what: "ends with 3 and without a word", does: "exit 3" },
  { what: "ends with 3 and a text", does: "echo 'It broke.' >&2; exit 3" },
  { what: "takes too long", does: "exec sleep 60" },
  { what: "prints half a reply", does: `printf '{"hookSpecificOutput":{"permissionDecision'` },
  { what: "prints a number", does: "echo 7" },
  { what: "has a faulty part in its reply", does: `echo '{"hookSpecificOutput": 7}'` },
];

/** An entry of the agents that copied Claude Code's settings. */
export function group({ command, matcher, seconds }: NativeHook): object {
  const hooks = [{ type: "command", command, timeout: seconds }];
  return matcher === undefined ? { hooks } : { matcher, hooks };
}

/** A hook that prints a reply. */
export function replies(what: string, reply: object): ImportRow {
  return { what, does: `cat <<'END'\n${JSON.stringify(reply)}\nEND` };
}

/** Runs an agent's own hooks in the real program, imports them, runs again, and expects the same. */
export function importSuite(agent: ImportedAgent): void {
  const { title } = agent.client;
  describe(`hooks of ${title} that were imported`, () => {
    for (const [moment, sentence] of Object.entries<string>(SENTENCES))
      if (isMoment(moment)) it(sentence, () => expectSame(agent, moment), MOST_MILLISECONDS);

    it("run for the calls for which they ran, with the same payload", () => expectMatched(agent));
  });
}

const SENTENCES: Readonly<Record<Moment, string>> = {
  before: "decide about a call as they did",
  after: "decide about a result as they did",
  prompt: "decide about a prompt as they did",
  stop: "decide about the end of a turn as they did",
};

function isMoment(name: string): name is Moment {
  return Object.hasOwn(SENTENCES, name);
}

function isOfCalls(moment: Moment): boolean {
  return moment === "before" || moment === "after";
}

async function expectSame(agent: ImportedAgent, moment: Moment): Promise<void> {
  const rows = [...ALWAYS, ...(isOfCalls(moment) ? OF_CALLS : []), ...agent.rows[moment]];
  const differences = agent.differences?.[moment] ?? {};
  const native = await seenBy("native", agent, moment, rows);
  const imported = await seenBy("imported", agent, moment, rows);
  // The hook that says nothing changes nothing: otherwise the agent did not get as far as this.
  expect(native.seen[0]?.requests).toBeGreaterThan(0);
  const named = (seen: readonly unknown[]) =>
    Object.fromEntries(rows.map(({ what }, at) => [what, seen[at]]));
  const expected = native.seen.map((seen, at) => {
    const { report: _, ...more } = differences[rows[at]?.what ?? ""] ?? { report: "" };
    return { ...seen, ...more };
  });
  expect(named(imported.seen)).toEqual(named(expected));
  for (const { report } of Object.values(differences)) expect(imported.report).toContain(report);
  // A row that is listed as different and is the same is out of date.
  const differing = rows.filter(
    (_, at) => JSON.stringify(native.seen[at]) !== JSON.stringify(imported.seen[at]),
  );
  expect(differing.map(({ what }) => what).toSorted()).toEqual(Object.keys(differences).toSorted());
}

interface SeenRows {
  readonly seen: readonly Seen[];
  /** What `import` printed. */
  readonly report: string;
}

async function seenBy(
  way: Way,
  agent: ImportedAgent,
  moment: Moment,
  rows: readonly ImportRow[],
): Promise<SeenRows> {
  const { client, events } = agent;
  const open = async (): Promise<readonly [Project, string]> => {
    const project = clientProject();
    const hook = { command: writeRows(project, rows), seconds: SECONDS };
    return [project, await useHooks(way, agent, project, events[moment], [hook])];
  };
  if (isOfCalls(moment)) {
    const [project, report] = await open();
    const script = rows.map((_, at) => client.shell(`touch ${markOf(at)}; echo pri''nted`));
    const result = await client.run({ project, script, prompt: "Begin." });
    const texts = result.requests.map(textsIn);
    return {
      report,
      seen: rows.map((_, at) => seenIn(project, result, at, added(texts[at], texts[at + 1]))),
    };
  }
  const seen: Seen[] = [];
  const reports: string[] = [];
  for (const at of rows.keys()) {
    const [project, report] = await open();
    reports.push(report);
    writeFileSync(join(project.folder, "row"), String(at));
    const result = await client.run({ project, script: ["one", "two"], prompt: "Begin." });
    seen.push(seenIn(project, result, at, textsIn(result.requests.at(-1))));
  }
  return { report: reports.join("\n"), seen };
}

/** What a request has behind the one before it. */
function added(before: readonly string[] = [], after: readonly string[] = []): readonly string[] {
  const isLonger = after.length > before.length && before.every((text, at) => text === after[at]);
  return isLonger ? after.slice(before.length) : after;
}

function seenIn({ cwd }: Project, result: ClientResult, row: number, texts: readonly string[]): Seen {
  return {
    ran: existsSync(join(cwd, markOf(row))),
    other: existsSync(join(cwd, `other-${markOf(row)}`)),
    read: WORDS.filter((word) => texts.some((text) => text.includes(word))),
    requests: result.requests.length,
  };
}

async function expectMatched(agent: ImportedAgent): Promise<void> {
  const { matchers, wider = {} } = agent;
  const native = await payloadsOf("native", agent);
  const imported = await payloadsOf("imported", agent);
  const named = (payloads: readonly (readonly string[])[]) =>
    Object.fromEntries(matchers.map((matcher, at) => [matcher, payloads[at]]));
  const expected = matchers.map((matcher, at) =>
    matcher in wider ? expect.arrayContaining([...(native.payloads[at] ?? [])]) : native.payloads[at],
  );
  expect(named(imported.payloads)).toEqual(named(expected));
  for (const report of Object.values(wider)) expect(imported.report).toContain(report);
  expect(native.payloads.flat()).not.toEqual([]);
}

/** What each matcher's hook was given. */
async function payloadsOf(way: Way, agent: ImportedAgent) {
  const project = clientProject();
  const hooks = agent.matchers.map((matcher, at) => {
    const log = join(project.folder, `log-${at}`);
    const text = `cat >> '${log}'; echo >> '${log}'; echo '{}'\n`;
    return { command: `sh ${write(project, `matcher-${at}.sh`, text)}`, matcher, seconds: 20 };
  });
  const report = await useHooks(way, agent, project, agent.events.before, hooks);
  await agent.client.run({ project, script: agent.calls(project.cwd), prompt: "Begin." });
  const payloads = agent.matchers.map((_, at): readonly string[] => {
    const file = join(project.folder, `log-${at}`);
    const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
    return lines.filter((line) => line !== "").map((line) => plain(line, agent, project));
  });
  return { report, payloads };
}

/** Writes hooks into the agent's own file, and has us take them over if that is the way. Returns what `import` printed. */
async function useHooks(
  way: Way,
  agent: ImportedAgent,
  project: Project,
  event: string,
  hooks: readonly NativeHook[],
): Promise<string> {
  const settings = { ...agent.heading, hooks: { [event]: hooks.map(agent.entry) } };
  project.write(agent.file, JSON.stringify(settings));
  if (way === "native") return "";
  const { agent: name, installOptions = [] } = agent.client;
  const report = await run(project, ["import", name, "--yes", "--json"]);
  await trustProject(project.cwd, project.environment);
  await run(project, ["install", name, ...installOptions]);
  await run(project, ["import", name, "--remove", "--yes"]);
  return report;
}

async function run(project: Project, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await project.run(args);
  if (code !== 0) throw new Error(`${stdout}${stderr}`);
  return stdout;
}

/** One hook for all rows: it does what the row of its payload's mark does. */
function writeRows(project: Project, rows: readonly ImportRow[]): string {
  mkdirSync(join(project.folder, "rows"));
  for (const [at, { does }] of rows.entries())
    write(project, `rows/${at}.sh`, `${does.replaceAll("MARK", markOf(at))}\n`);
  const hook = `input=$(cat)
row=$(printf '%s' "$input" | sed -n 's/.*ROW-\\([0-9]*\\)-.*/\\1/p' | tail -n 1)
cd '${project.folder}'
if test -z "$row"; then
  # The end of a turn is decided once.
  case $input in *[Ss]top*) test -e stopped && exit 0; touch stopped ;; esac
  row=$(cat row)
fi
exec sh "rows/$row.sh"
`;
  return `sh ${write(project, "hook.sh", hook)}`;
}

function write({ folder }: Project, name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text, { mode: 0o755 });
  return file;
}

function markOf(row: number): string {
  return `ROW-${row}-`;
}

/** Every text of the conversation in a request. */
function textsIn(request: unknown): readonly string[] {
  const body = isRecord(request) && isRecord(request.body) ? request.body : request;
  const { contents, messages, input } = isRecord(body) ? body : {};
  return leaves(contents ?? messages ?? input ?? body);
}

function leaves(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(leaves);
  return isRecord(value) ? Object.values(value).flatMap(leaves) : [];
}

function plain(text: string, { varying = [] }: ImportedAgent, { folder }: Project): string {
  const named = text.replaceAll(folder, "FOLDER").replaceAll(MARK, "MARK");
  return [UUID, TIME, ...varying].reduce((left, one) => left.replaceAll(one, "…"), named);
}

const UUID = /[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d[:-]\d\d(?:[:.-][\d.]*)?Z?/g;
