import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { sqliteActivity } from "../../src/journal/activity/sqlite-activity.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const BEGIN = Date.UTC(2026, 5, 1);

/** A store with this many calls, several of them in the same millisecond; every tenth was denied, every seventh asked. */
async function storeWith(count: number) {
  const environment = { XDG_STATE_HOME: temporaryFolder() };
  const folder = join(environment.XDG_STATE_HOME, "tenterhook/journal");
  mkdirSync(folder, { recursive: true });
  const lines = Array.from({ length: count }, (_, at) => {
    const action = at % 10 === 0 ? "deny" : at % 7 === 0 ? "ask" : "continue";
    const time = new Date(BEGIN + Math.floor(at / 3)).toISOString();
    const event = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: `call ${at}` } };
    const run = {
      name: `hook-${at % 2}`,
      handler: "inline",
      event_id: `e${at}`,
      started_at: time,
      duration_ms: 2,
    };
    const outcome = action === "continue" ? {} : { outcome: { action, reason: `because ${at}` } };
    const decision = { action, ...(action === "continue" ? {} : { reason: `because ${at}` }) };
    return JSON.stringify({
      ...{ v: 1, type: "decision", time, session_id: `s${at % 4}`, event_id: `e${at}`, event, decision },
      runs: [{ ...run, ...outcome }],
    });
  });
  writeFileSync(join(folder, "a.jsonl"), `${lines.join("\n")}\n`);
  const store = await sqliteActivity(environment);
  onTestFinished(() => store.close());
  while (!(await store.refresh(10_000)));
  return store;
}

it("pages of a list follow each other without a gap or a repetition, also within a millisecond", async () => {
  const { lists } = await storeWith(50);
  const pages: string[][] = [];
  for (let before: { time: number; seq: number } | undefined; ; ) {
    const rows = lists.calls({ since: new Date(0), most: 7, before });
    if (rows.length === 0) break;
    pages.push(rows.map(({ summary }) => summary));
    before = rows.at(-1);
  }
  expect(pages.map(({ length }) => length)).toEqual([7, 7, 7, 7, 7, 7, 7, 1]);
  expect(pages.flat()).toEqual(Array.from({ length: 50 }, (_, at) => `call ${49 - at}`));
});

it("a list is chosen by session, hook, verdict and time, and a row says who decided and why", async () => {
  const { lists } = await storeWith(50);
  const all = { since: new Date(0), most: 100 };
  const summaries = (query: object) => lists.calls({ ...all, ...query }).map(({ summary }) => summary);
  expect(summaries({ verdicts: ["deny"] })).toEqual(["call 40", "call 30", "call 20", "call 10", "call 0"]);
  expect(summaries({ verdicts: ["deny"], session: "s2" })).toEqual(["call 30", "call 10"]);
  expect(summaries({ verdicts: ["ask"], hook: "hook-1" })).toEqual([
    "call 49",
    "call 35",
    "call 21",
    "call 7",
  ]);
  expect(summaries({ until: new Date(BEGIN + 1) })).toEqual(["call 2", "call 1", "call 0"]);
  expect(summaries({ project: "/nowhere" })).toEqual([]);
  const [row] = lists.calls({ ...all, verdicts: ["deny"] });
  expect(row).toEqual({
    seq: expect.any(Number),
    time: BEGIN + 13,
    session: "s0",
    event: "PreToolUse",
    tool: "Bash",
    verdict: "deny",
    hook: "hook-0",
    took: 2,
    summary: "call 40",
    reason: "because 40",
  });
  expect(lists.call(row?.seq ?? 0)?.record.event.tool_input).toEqual({ command: "call 40" });
  expect(lists.lastCalls(["s0", "s3", "nobody"])).toEqual(
    new Map([
      ["s0", { tool: "Bash", summary: "call 48" }],
      ["s3", { tool: "Bash", summary: "call 47" }],
    ]),
  );
  expect(lists.countsOf("s2")).toEqual({ calls: 12, stopped: 2, asked: 2 });
});

it("numbers by hook, rule and agent are those of the records, and each leads to as many calls", async () => {
  const { lists, figures } = await storeWith(50);
  const query = { since: new Date(BEGIN), until: new Date(BEGIN + 3_600_000) };
  const [first, second] = figures.groups("hook", query);
  expect(
    [first, second].map((group) => group && [group.name, group.runs, group.denials, group.asks]),
  ).toEqual([
    ["hook-0", 25, 5, 3],
    ["hook-1", 25, 0, 4],
  ]);
  const all = { ...query, most: 100 };
  for (const { name, runs, denials, asks } of figures.groups("hook", query)) {
    const number = (said: "ran" | "deny" | "ask") => lists.calls({ ...all, hook: name, said }).length;
    expect([number("ran"), number("deny"), number("ask")]).toEqual([runs, denials, asks]);
  }
  expect(figures.groups("agent", query)).toMatchObject([{ name: "-", runs: 50, denials: 5, asks: 7 }]);
  expect(lists.calls({ ...all, agent: "-" }).length).toBe(50);
  expect(figures.hours(query)).toEqual([
    {
      time: BEGIN,
      decisions: 50,
      stopped: 5,
      asked: 7,
      runs: 50,
      failures: 0,
      p50_ms: expect.closeTo(2, 0),
      p95_ms: expect.closeTo(2, 0),
      p99_ms: expect.closeTo(2, 0),
    },
  ]);
});

it("pages of the calls of a hook follow each other over the hours in which it ran", async () => {
  const { lists } = await storeWith(50);
  const found: string[] = [];
  for (let before: { time: number; seq: number } | undefined; ; ) {
    const rows = lists.calls({ since: new Date(0), most: 7, hook: "hook-1", before });
    if (rows.length === 0) break;
    found.push(...rows.map(({ summary }) => summary));
    before = rows.at(-1);
  }
  expect(found).toEqual(Array.from({ length: 25 }, (_, at) => `call ${49 - 2 * at}`));
});
