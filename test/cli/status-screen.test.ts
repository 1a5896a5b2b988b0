import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { TenterhookError } from "../../src/core/base/errors.ts";
import { spoolFolder } from "../../src/monitor/report/spool.ts";
import { SPOOL_FILE } from "../../src/monitor/report/spool-files.ts";
import { sqliteMonitor } from "../../src/monitor/store/sqlite-monitor.ts";
import { stateFolder } from "../../src/node/user-folders.ts";
import { eventually } from "../support/processes.ts";
import { stopClock } from "../support/stop-clock.ts";
import { reported } from "./support/reported-agents.ts";

it("the status groups agents by state, those that need somebody first, and marks what is inferred", async () => {
  stopClock();
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
  report("agent:exit", "w8", { exit_code: 0 });
  expect((await shown("status")).split("\n")).toEqual([
    "  1 waits · 2 failed · 2 work · 1 without news · 1 idle · 1 ended",
    "",
    "  ● waits      0 s  w4  Which way?",
    "  ● failed     0 s  w3  rate limited: Slow down.",
    "  ● failed     0 s  w7  code 3",
    "  ● works      0 s  w1  Read it.",
    "  ● works?     0 s  w6",
    "  ◌ no news  6 min  w2",
    "  ○ idle       0 s  w5  interrupted",
    "  ○ ended      0 s  w8  code 0",
    "  ?: inferred, no hook said so.",
    "",
    expect.stringMatching(/^ {2}(?:Not g|G)uarded: /),
    expect.stringContaining("TENTERHOOK_DAEMON=0 is set here"),
    "",
    expect.stringMatching(/^ {2}tenterhook answer \S{4} "…" {3}answers w4$/),
    "  tenterhook agents show w3    says why w3 failed",
    "",
  ]);
});

it("the status has an agent first whose decision waits, also when it has ended, and says where it is answered", async () => {
  const { report, shown } = await reported({
    settingsFor: async () => ({ on_dead: "escalate" }),
    lookMilliseconds: 20,
  });
  report("agent:exit", "dead", { exit_code: 3 });
  await eventually(async () => expect(await shown("decisions")).toContain("dead"));
  report("agent:turn", "busy");
  const rows = (await shown("status")).split("\n");
  expect([...rows.slice(0, 4), ...rows.slice(-3)]).toEqual([
    "  1 waits · 1 works",
    "",
    expect.stringMatching(/^ {2}● waits +\d+ s {2}dead {2}code 3$/),
    expect.stringMatching(/^ {2}● works +\d+ s {2}busy$/),
    "",
    expect.stringMatching(/^ {2}tenterhook answer \S{4} done {3}answers dead$/),
    "",
  ]);
});

it("agents that have ended leave the list after a while, once somebody has looked, or when they are dismissed", async () => {
  const { report, shown, environment } = await reported();
  const hours = (number: number) => new Date(Date.now() - number * 3_600_000).toISOString();
  // As another process has written it, some time ago.
  const spool = spoolFolder(environment);
  mkdirSync(spool, { recursive: true, mode: 0o700 });
  const end = (agent_id: string, time: string) => {
    const event = { v: 1, id: agent_id, time, type: "agent:exit", agent_id, exit_code: 0 };
    appendFileSync(join(spool, SPOOL_FILE), `${JSON.stringify(event)}\n`, { mode: 0o600 });
  };
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
  expect(await shown("status")).toContain("  2 ended since you last looked, 3 h ago.\n");
  report("agent:turn", "busy");
  expect(await shown("agents", "dismiss", "fresh")).toBe(
    "Took fresh off the list. tenterhook agents --all still shows it.\n",
  );
  expect(await names()).toEqual(["busy", "unseen"]);
  expect(JSON.parse(await shown("agents", "dismiss", "--json"))).toEqual({ dismissed: ["old", "unseen"] });
  expect(await names()).toEqual(["busy"]);
  expect(await names("--all")).toEqual(["busy", "fresh", "old", "unseen"]);
  report("agent:turn", "fresh");
  expect(await names()).toEqual(["busy", "fresh"]);
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
  expect(await shown("status")).toMatch(new RegExp(`1 works.*w1.*${problem}$`, "s"));
  expect(await shown("daemon", "status")).toContain(`  ${problem}`);
  expect(JSON.parse(await shown("status", "--json"))).toMatchObject({ problem: "The disk is full." });
  expect(log.filter((line) => line.includes("The disk is full."))).toHaveLength(1);
  isFull = false;
  expect(await shown("status")).toMatch(/2 work.*w2.*\n {2}Each call starts [^\n]*\n$/s);
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
  stopClock();
  const { report, shown, cwd } = await reported();
  const turn = (agent: string, folder: string, usage: object) =>
    report("agent:turn", agent, { new_turn: true, host: "claude", cwd: folder, usage });
  turn("w1", cwd, { total_tokens: 9000, cost_usd: 1.25 });
  turn("w2", cwd, { total_tokens: 1000, cost_usd: 0.5 });
  turn("w3", "/srv/api", { total_tokens: 500, cost_usd: 3 });
  await shown("status");
  const costs = async (...args: readonly string[]) =>
    JSON.parse(await shown("log", "--stats", "--json", ...args)).costs;
  const day = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
  const here = { day, project: cwd, agent: "claude", tokens: 10_000, cost_usd: 1.75 };
  expect(await costs()).toEqual([here]);
  expect(await costs("--everywhere")).toEqual([
    { day, project: "/srv/api", agent: "claude", tokens: 500, cost_usd: 3 },
    here,
  ]);
  expect(await shown("stats")).toMatch(
    /DAY +PROJECT +AGENT +TOKENS +COST\n +Today +project +claude +10,000 +\$1\.75\n/,
  );
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
  expect(await shown("daemon", "status")).toMatch(said);
  expect(await shown("doctor")).toMatch(said);
  expect(JSON.parse(await shown("status", "--json"))).toMatchObject({ dropped });
});
