import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { runCommandLine } from "../../src/cli/command-line/run-command-line.ts";
import { processScreen } from "../../src/cli/command-line/screen/screen.ts";
import { TenterhookError } from "../../src/core/base/errors.ts";
import type { DaemonOptions } from "../../src/monitor/daemon/daemon.ts";
import { waitForAnswer } from "../../src/monitor/report/answers.ts";
import { daemonPlace } from "../../src/monitor/report/daemon-place.ts";
import { appendToSpool } from "../../src/monitor/report/spool.ts";
import { sqliteMonitor } from "../../src/monitor/store/sqlite-monitor.ts";
import { stateFolder } from "../../src/node/user-folders.ts";
import { projectDaemon } from "../monitor/support/test-daemon.ts";
import { newProject, type Project } from "./support/project.ts";

/** A project with a daemon, to which agents report. */
async function reported(options: Partial<DaemonOptions> = {}) {
  const project = newProject({ cached: true });
  await projectDaemon(project, options);
  const report = (type: string, agent_id: string, fields: object = {}) =>
    appendToSpool({ type, agent_id, ...fields }, project.environment);
  const waits_until = new Date(Date.now() + 600_000).toISOString();
  const ask = (agent: string, question: unknown, fields: object = {}) =>
    report("agent:prompt", agent, { prompt_type: "question", question, waits_until, ...fields });
  const shown = async (...args: readonly string[]) => {
    const { stdout, stderr } = await project.run(args);
    return `${stdout}${stderr}`;
  };
  return { ...project, report, ask, shown };
}

const FORGED = "w1\nw2      -     working   1s  -\u2028\u001b[2J\u200e";

it("an agent has one row of the status, whatever its name is", async () => {
  const { report, shown } = await reported();
  report("agent:turn", FORGED, { host: "my\nhost", cwd: "/projects/a\nb", prompt: "Go\non" });
  const daemon = expect.stringMatching(/^ {2}The daemon decides calls of hooks: process \d+, /);
  expect((await shown("status")).split("\n")).toEqual([
    "  1 work",
    "",
    expect.stringMatching(/^ {2}● works {4}\d s {2}w1 w2 - working 1s - �\[2J� {2}Go on$/),
    "",
    daemon,
    "",
  ]);
});

it("what an agent says can't be taken for a line of ours", async () => {
  const { ask, shown } = await reported();
  const options = [{ label: "Blue\n  2       Red", description: "Calm.\nanswer    none" }, { label: "Red" }];
  const { id } = ask(FORGED, [{ question: "Which?\n  1       Red\nresolved  root", options }], {
    context:
      "I looked.\n  1       Red\nanswer    tenterhook decisions resolve other 1\r\n\u202eresolved  root",
  });
  expect((await shown("decisions", "show", id)).split("\n")).toEqual([
    expect.stringMatching(/^w1 w2 - working 1s - �\[2J� asks a question {2}/),
    "  │ I looked.",
    "  │   1       Red",
    "  │ answer    tenterhook decisions resolve other 1",
    "  │ �resolved  root",
    "asks      Which?",
    "            1       Red",
    "          resolved  root",
    "  1       Blue 2 Red: Calm. answer none",
    "  2       Red",
    `answer    tenterhook decisions resolve ${id.slice(0, 4)} 1`,
    "",
  ]);
});

/** The rows of a terminal of this width after a command. */
async function shownOn(
  columns: number,
  { cwd, environment }: Pick<Project, "cwd" | "environment">,
  ...args: readonly string[]
) {
  let printed = "";
  const stdout = {
    isTTY: true,
    columns,
    write: (written: string) => {
      printed += written;
    },
  };
  const plain = { ...environment, NO_COLOR: "1" };
  const screen = processScreen(plain, { stdout, stderr: stdout, stdin: {} });
  await runCommandLine(args, { screen, cwd, environment: plain, parent: 1 });
  return rowsOf(printed, columns);
}

/** What the rows of a terminal show, which breaks a line that is too long and has tabs at every eighth column. */
function rowsOf(printed: string, width: number): readonly string[] {
  return printed.split("\n").flatMap((line) => {
    const rows = [""];
    for (const character of line) {
      const row = rows.at(-1) ?? "";
      const next = character === "\t" ? Math.min(width, row.length + 8 - (row.length % 8)) : 0;
      if (character === "\t") rows.splice(-1, 1, row.padEnd(next));
      else if (row.length >= width) rows.push(character);
      else rows.splice(-1, 1, `${row}${character}`);
    }
    return rows;
  });
}

const FAKE = "answer\u00a0tenterhook\u00a0decisions\u00a0resolve\u00a0other\u00a01";

it.each([
  ["a long word", "x".repeat(76)],
  ["a long word with the indentation of a question", "x".repeat(70)],
  ["blanks that end no word", "\u2800".repeat(76)],
  ["a deep indentation", " ".repeat(76)],
  ["the indentation of a question", " ".repeat(70)],
  ["tabs", "\t".repeat(12)],
])("what an agent says never begins where our lines do, after %s", async (_name, before) => {
  const { ask, environment, cwd } = await reported();
  const text = `${before}${FAKE}`;
  const { id } = ask("w1", [{ question: text, options: [{ label: "Blue", description: text }] }], {
    context: text,
  });
  const rows = await shownOn(80, { environment, cwd }, "decisions", "show", id);
  const ours = rows.filter((row) => !/^( {2}│| {10})/.test(row));
  expect(ours.map((row) => row.replaceAll("\u00a0", " ").slice(0, 16).trim())).toEqual([
    "w1 asks a questi",
    expect.stringMatching(/^asks/),
    expect.stringMatching(/^1 {7}Blue:/),
    "answer    tenter",
    "",
  ]);
  expect(rows.at(-2)).toContain(` ${id.slice(0, 4)} `);
});

it("decisions are a table: what holds an agent first, then what the monitor asks", async () => {
  const { ask, report, shown } = await reported();
  report("agent:prompt", "w3", { prompt_type: "question", question: "Which name?" });
  report("agent:turn", "w2");
  report("agent:signal", "w2", { signal: "escalate", message: "Which way?" });
  const { id } = ask("w1", [{ question: "Which colour?", options: [{ label: "Blue" }] }]);
  expect((await shown("decisions")).split("\n")).toEqual([
    "  1 held · 1 escalated · 1 at its terminal",
    "",
    expect.stringMatching(
      new RegExp(`^ {2}● +\\d s {2}${id.slice(0, 4)} {2}w1 {2}question {2}Which colour\\? {2}\\d min left$`),
    ),
    expect.stringMatching(/^ {2}● +\d s {2}\S+ {2}w2 {2}question {2}Which way\?$/),
    expect.stringMatching(/^ {2}● +\d s {2}\S+ {2}w3 {2}question {2}Which name\? {4}at its terminal$/),
    "",
    "  tenterhook decisions show ID tells all of one.",
    "  tenterhook decisions resolve ID CHOICE answers it.",
    "",
  ]);
});

it("a table of decisions fits the screen, whatever agents ask", async () => {
  const { ask, environment, cwd } = await reported();
  for (const name of ["w1", "x".repeat(90)]) ask(name, [{ question: "日本語 ".repeat(40) }]);
  const rows = await shownOn(60, { environment, cwd }, "decisions");
  expect(rows.filter((row) => row.includes("●"))).toHaveLength(2);
});

it("the status groups agents by state, those that need somebody first, and marks what is inferred", async () => {
  const { ask, report, shown } = await reported();
  report("agent:turn", "w1", { prompt: "Read it." });
  report("agent:turn", "w2");
  report("agent:quiet", "w2", { no_news_since: new Date(Date.now() - 360_000).toISOString() });
  report("agent:error", "w3", { error_type: "rate_limit", error_message: "Slow down." });
  ask("w4", "Which way?");
  report("agent:turn", "w5");
  report("agent:interrupted", "w5");
  report("agent:grew", "w6", { state_source: "inferred" });
  report("agent:exit", "w7", { exit_code: 3 });
  expect((await shown("status")).split("\n").map((line) => line.replace(/\d s/, "N s"))).toEqual([
    "  1 wait · 1 failed · 2 work · 1 without news · 1 idle · 1 ended",
    "",
    "  ● waits      N s  w4  Which way?",
    "  ● failed     N s  w3  rate limited: Slow down.",
    "  ● works      N s  w1  Read it.",
    "  ● works?     N s  w6",
    "  ◌ no news  6 min  w2",
    "  ○ idle       N s  w5  interrupted",
    "  ○ ended      N s  w7  code 3",
    "  ?: inferred, no hook said so.",
    "",
    "  tenterhook decisions lists what they ask.",
    expect.stringContaining("The daemon decides"),
    "",
  ]);
});

it("agents that have ended leave the list after a while, once somebody has looked, or when they are dismissed", async () => {
  const { report, shown, environment } = await reported();
  const hours = (number: number) => new Date(Date.now() - number * 3_600_000).toISOString();
  const end = (agent: string, time: string) => report("agent:exit", agent, { time, exit_code: 0 });
  for (const [agent, ago] of [
    ["old", 5],
    ["unseen", 2],
    ["fresh", 0.5],
  ] as const)
    end(agent, hours(ago));
  const names = async (...args: readonly string[]) =>
    JSON.parse(await shown("status", "--json", ...args))
      .agents.map(({ agent_id }: { agent_id: string }) => agent_id)
      .sort();
  expect(await names()).toEqual(["fresh"]);
  writeFileSync(join(stateFolder(environment), "monitor", "looked-at"), hours(3), { mode: 0o600 });
  expect(await names()).toEqual(["fresh", "unseen"]);
  expect(await shown("status")).toContain("  2 ended since you last looked, 3h ago.\n");
  report("agent:turn", "busy");
  expect(await shown("agents", "dismiss", "fresh")).toBe(
    "Took fresh off the list. tenterhook status --all still shows it.\n",
  );
  expect(await names()).toEqual(["busy", "unseen"]);
  expect(JSON.parse(await shown("agents", "dismiss", "--json"))).toEqual({ dismissed: ["old", "unseen"] });
  expect(await names()).toEqual(["busy"]);
  expect(await names("--all")).toEqual(["busy", "fresh", "old", "unseen"]);
  report("agent:turn", "fresh");
  expect(await names()).toEqual(["busy", "fresh"]);
});

it("a long name of an agent stays on the first line of its decision", async () => {
  const { ask, environment, cwd } = await reported();
  const { id } = ask(`${"x".repeat(79)} answer tenterhook decisions resolve other 1`, "Why?");
  expect((await shownOn(80, { environment, cwd }, "decisions", "show", id))[1]).not.toContain(
    "resolve other",
  );
});

it("a closed decision shows what was answered, by whom, how and when", async () => {
  const { ask, report, shown, environment } = await reported();
  const { id } = ask("w1", [{ question: "Which?", options: [{ label: "Blue" }, { label: "Red" }] }]);
  const hook = waitForAnswer(id, 600_000, environment, new AbortController().signal);
  // It has any time to take the answer.
  vi.spyOn(performance, "now").mockReturnValue(performance.now());
  expect(await shown("decisions", "resolve", id, "2")).toMatch(
    /^Taken by the waiting hook after \d+\.\d s\.\n$/,
  );
  expect(await hook).toEqual([{ label: "Red" }]);
  expect(await shown("decisions", "show", id)).toMatch(
    /\nclosed {4}answered with Red by \S+ \(cli\), taken by the waiting hook after \d+\.\d s\. 20\S+Z\n$/,
  );
  const other = ask("w2", "Why?");
  report("agent:exit", "w2");
  expect(await shown("decisions", "show", other.id)).toMatch(/\nclosed {4}the agent has ended\. 20\S+Z\n$/);
});

it("an answer is not said to have reached an agent whose hook has not taken it", async () => {
  const { ask, shown } = await reported();
  const { id } = ask("w1", "Why?");
  expect(await shown("decisions", "resolve", id, "Because.")).toBe(
    `Given, but no hook has taken it yet. tenterhook decisions show ${id} says what came of it.\n`,
  );
});

it("an answer that could not be delivered is not said to have reached the agent", async () => {
  const { ask, shown, environment } = await reported();
  const { id } = ask("w1", "Why?");
  writeFileSync(join(stateFolder(environment), "answers"), "This is no folder.");
  expect(await shown("decisions", "resolve", id, "Because.")).toContain("no hook has taken it yet");
});

it("the log shows no control characters", async () => {
  const { shown, environment } = await reported();
  appendFileSync(daemonPlace(environment).log, "telegram: \u001b[2Jlost\u202e\n");
  expect(await shown("monitor", "logs")).toContain("telegram: �[2Jlost�\n");
});

it("a beginning that many ids have names some of them", async () => {
  const { ask, shown } = await reported();
  for (let count = 10; count < 30; count += 1) ask(`w${count}`, "Why?", { id: `same${count}` });
  expect(await shown("decisions", "resolve", "same", "1")).toContain(
    'Several decisions begin with "same": same29, same28, same27, same26, same25 and 15 more.',
  );
});

it("an answer that is missing is asked for with the options", async () => {
  const { ask, shown } = await reported();
  const { id } = ask("w1", [{ question: "Which?", options: [{ label: "Blue" }, { label: "Red" }] }]);
  expect(await shown("decisions", "resolve", id)).toContain(
    "Give an answer: one of 1 Blue, 2 Red, or any text.",
  );
  const { id: open } = ask("w2", ["Why?"]);
  expect(await shown("decisions", "resolve", open)).toContain("Give an answer.");
});

it("the status says when what hooks report can't be stored, and the log says it once", async () => {
  let isFull = false;
  const log: string[] = [];
  const { report, shown } = await reported({
    log: (line) => log.push(line),
    openStore: async (file) => {
      const store = await sqliteMonitor(file);
      const full = async () => Promise.reject(new TenterhookError("store_failed", "The disk is full."));
      return { ...store, update: (work) => (isFull ? full() : store.update(work)) };
    },
  });
  report("agent:turn", "w1");
  expect(await shown("status")).not.toContain("The disk is full.");
  isFull = true;
  report("agent:turn", "w2");
  const problem = "What hooks report can't be stored, so this may be out of date: The disk is full.\n";
  expect(await shown("status")).toMatch(new RegExp(`1 work.*w1.*${problem}$`, "s"));
  expect(await shown("monitor", "status")).toContain(`  ${problem}`);
  expect(JSON.parse(await shown("status", "--json"))).toMatchObject({ problem: "The disk is full." });
  expect(log.filter((line) => line.includes("The disk is full."))).toHaveLength(1);
  isFull = false;
  expect(await shown("status")).toMatch(/2 work.*w2.*\n {2}The daemon [^\n]*\n$/s);
});

it("the status adds up what agents cost, by project and program, and says why a cost is not known", async () => {
  const { report, shown } = await reported();
  const turn = (agent: string, host: string, cwd: string, usage: object) =>
    report("agent:turn", agent, { new_turn: true, host, cwd, usage });
  turn("w1", "claude", "/srv/shop", { total_tokens: 9000, cost_usd: 1.25 });
  turn("w2", "codex", "/srv/shop", { total_tokens: 9000, cost_usd: 0.5 });
  turn("w3", "claude", "/srv/api", { total_tokens: 9000, cost_usd: 0.001 });
  const known = await shown("status");
  expect(known).toContain(
    "Cost: $1.75. By project: shop $1.75, api <$0.01. By program: claude $1.25, codex $0.50.",
  );
  expect(known).not.toContain("models.prices");
  turn("w4", "codex", "/srv/new", { total_tokens: 9000 });
  const partly = await shown("status");
  expect(partly).toMatch(/ w4 .* -$/m);
  expect(partly.replaceAll(/\s+/g, " ")).toContain(
    "Cost: $1.75 and what has no price. By project: shop $1.75, api <$0.01, new -.",
  );
  expect(partly.replaceAll(/\s+/g, " ")).toContain(
    "-: the price of a model is not known; models.prices in your configuration sets it.",
  );
});

it("the stats add up what agents cost, by day, project and program", async () => {
  const { report, shown, cwd } = await reported();
  const turn = (agent: string, folder: string, usage: object) =>
    report("agent:turn", agent, { new_turn: true, host: "claude", cwd: folder, usage });
  turn("w1", cwd, { total_tokens: 9000, cost_usd: 1.25 });
  turn("w2", cwd, { total_tokens: 1000, cost_usd: 0.5 });
  turn("w3", "/srv/api", { total_tokens: 500, cost_usd: 3 });
  await shown("status");
  const costs = async (...args: readonly string[]) =>
    JSON.parse(await shown("stats", "--json", ...args)).costs;
  const day = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
  const here = { day, project: cwd, agent: "claude", tokens: 10_000, cost_usd: 1.75 };
  expect(await costs()).toEqual([here]);
  expect(await costs("--all")).toEqual([
    { day, project: "/srv/api", agent: "claude", tokens: 500, cost_usd: 3 },
    here,
  ]);
  expect(await shown("stats")).toMatch(
    /DAY +PROJECT +AGENT +TOKENS +COST\n +Today +project +claude +10,000 +\$1\.75\n/,
  );
});

it("a question that nobody waits for, such as a trial, can be dismissed; one that a hook waits for can't", async () => {
  const { report, ask, shown } = await reported();
  const { id } = report("agent:prompt", "test", { prompt_type: "question", question: "Does it work?" });
  expect(await shown("decisions")).toMatch(/test +question +Does it work\? +at its terminal$/m);
  const listed = (await shown("decisions", "show", id)).replaceAll(/\s+/g, " ");
  expect(listed).toContain(`tenterhook decisions resolve ${id.slice(0, 4)} dismiss takes it off this list`);
  expect(await shown("decisions", "resolve", "test", "dismiss")).toBe(
    "Taken off the list. test asks in its own terminal.\n",
  );
  expect(await shown("decisions")).toBe("No agent waits for a decision.\n");
  ask("held", [{ question: "Which?", options: [{ label: "Blue" }] }]);
  expect(await shown("decisions", "resolve", "held", "dismiss")).toContain("Given, but");
});

it("says what was dropped while nobody took it in: status, monitor status and doctor", async () => {
  const { shown, environment } = await reported();
  const dropped = { events: 200, questions: 1, last: new Date().toISOString() };
  writeFileSync(join(stateFolder(environment), "spool", "dropped.json"), JSON.stringify(dropped), {
    mode: 0o600,
  });
  const said =
    /200 events waited for the monitor until there was no room and were\s+dropped, 1 of them questions to\s+you/;
  expect(await shown("status")).toMatch(said);
  expect(await shown("monitor", "status")).toMatch(said);
  expect(await shown("doctor")).toMatch(said);
  expect(JSON.parse(await shown("status", "--json"))).toMatchObject({ dropped });
});
