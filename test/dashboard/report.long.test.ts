import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContextOptions } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { reportPage } from "../../src/monitor/dashboard/report.ts";
import type { ReplayedCall, ReplayView } from "../../src/monitor/dashboard/wire.ts";
import { leaveOut, notLinux } from "../support/not-here.ts";
import { type AtEnd, temporaryFolder } from "../support/temporary-folder.ts";
import { barriers } from "./support/axe.ts";
import { pageOpener } from "./support/browser.ts";
import { faultsInEveryLook } from "./support/looks.ts";

const openPage = pageOpener();

const COUNT = 50_000;
const HOSTILE = `</script><img src=x onerror="document.title='taken'">\u202e\u001b[31m`;
const MADE = new Date(2026, 10, 18, 1, 20);

function changedCall(at: number): ReplayedCall {
  const action = at % 3 === 0 ? "deny" : "ask";
  return {
    agent: "claude",
    session: `s${at}`,
    at: new Date(Date.UTC(2026, 9, 17) + at * 50_000).toISOString(),
    tool_name: "Bash",
    tool_input: { command: `git push --force origin branch-${at} ${HOSTILE}` },
    recorded: { action: "continue" },
    now: { action, hook: "no-force-push", rule: HOSTILE, reason: `Use --force-with-lease. ${HOSTILE}` },
  };
}

const FOUND: ReplayView = {
  sessions: 214,
  denied_sessions: 19,
  agents: ["claude", "codex"],
  events: 90_000,
  unreadable: 12,
  would: { deny: 16_667, ask: 33_333, rewrite: 0, same: 40_000 },
  by_hook: [{ hook: "no-force-push", rule: HOSTILE, deny: 16_667, ask: 33_333, rewrite: 0 }],
  changed: Array.from({ length: COUNT }, (_, at) => changedCall(at)),
  left_out: 0,
  unjudged: [{ command: `npm test ${HOSTILE}`, calls: 412 }],
  not_evaluated: [{ hook: HOSTILE, events: 3 }],
  from: "2026-10-17T00:00:00.000Z",
  until: "2026-11-15T00:00:00.000Z",
};

/** The same with few of the calls, for what does not depend on their number. */
const FEW: ReplayView = { ...FOUND, changed: FOUND.changed.slice(0, 100) };

/** As a month of a team looks like. */
const MONTH: ReplayView = {
  ...FOUND,
  events: 31_870,
  would: { deny: 41, ask: 96, rewrite: 0, same: 31_733 },
  by_hook: [
    { hook: "no-force-push", rule: 'command runs "git push --force"', deny: 41, ask: 0, rewrite: 0 },
    { hook: "publishing", rule: 'command runs "npm publish"', deny: 0, ask: 96, rewrite: 0 },
  ],
  changed: Array.from({ length: 137 }, (_, at): ReplayedCall => {
    const isPush = at % 10 < 3;
    return {
      ...changedCall(at),
      agent: at % 4 === 0 ? "codex" : "claude",
      at: new Date(Date.UTC(2026, 9, 17, 8) + Math.floor(at * 5.1) * 3_600_000).toISOString(),
      tool_input: { command: isPush ? `git push --force origin fix/${at}` : "npm publish --access public" },
      now: isPush
        ? { action: "deny", hook: "no-force-push", reason: "Use --force-with-lease on your own branch." }
        : { action: "ask", hook: "publishing", reason: "Publishing needs a person." },
    };
  }),
  unjudged: [{ command: "npm test", calls: 412 }],
  not_evaluated: [],
};

describe("a report", () => {
  leaveOut(notLinux);
  let folder = "";
  const ends: Parameters<AtEnd>[0][] = [];
  beforeAll(async () => {
    const atEnd: AtEnd = (end) => void ends.push(end);
    folder = temporaryFolder(atEnd);
    writeFileSync(join(folder, "replay.html"), reportPage({ view: "replay", found: FOUND }, MADE));
    writeFileSync(join(folder, "few.html"), reportPage({ view: "replay", found: FEW }, MADE));
    writeFileSync(join(folder, "month.html"), reportPage({ view: "replay", found: MONTH }, MADE));
    return async () => {
      for (const end of ends.reverse()) await end();
    };
  });

  const opened = async (name: string, options: BrowserContextOptions = {}) => {
    const { page, errors } = await openPage(options);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url().slice(0, 40)));
    await page.goto(`file://${join(folder, name)}`);
    await page.locator("main h1").waitFor();
    return { page, errors, asked };
  };

  it("opens from a disk, asks nobody, says when it was made, and draws of 50,000 calls those that can be seen", async () => {
    const { page, errors, asked } = await opened("replay.html");
    await page.getByText("A report, made 18 Nov 2026, 01:20").waitFor();
    expect(await page.getByRole("navigation", { name: "Main" }).innerText()).toContain("Replay");
    const totals = page.getByRole("region", { name: "Totals" });
    expect((await totals.innerText()).split("\n").filter((line) => line !== "")).toEqual([
      ...["Sessions", "214", "claude, codex", "Calls", "90,000", "12 lines could not be read"],
      ...["Would deny", "16,667", "in 19 sessions", "Would ask", "33,333", "about 1,149 a day"],
      ...["As before", "44.4 %", "40,000 calls"],
    ]);
    await page.getByRole("img", { name: "Changed calls by day" }).waitFor();
    const calls = page.getByRole("list", { name: "Changed calls" }).getByRole("listitem");
    expect(await calls.count()).toBeLessThan(120);
    expect(await calls.first().innerText()).toContain("branch-49999");
    expect(errors).toEqual([]);
    expect(asked.filter((url) => !url.startsWith("file:") && !url.startsWith("data:"))).toEqual([]);
  });

  it("is searched, and an address with words opens it that way", async () => {
    const { page } = await opened("replay.html?q=branch-4321+force&would=deny");
    const calls = page.getByRole("list", { name: "Changed calls" }).getByRole("listitem");
    await page.getByText("3 of 50,000").waitFor();
    expect(await calls.count()).toBe(3);
    await page.getByRole("button", { name: "All" }).click();
    await page.getByText("11 of 50,000").waitFor();
    await calls.first().getByRole("button").click();
    await calls.first().getByText("Was then").waitFor();
    await page.getByRole("searchbox", { name: "Search calls" }).fill("nobody wrote this");
    await page.getByText("No call fits").waitFor();
  });

  it("has no barrier in any look", async () => {
    const { page, errors } = await opened("month.html");
    expect(await faultsInEveryLook(page, "report")).toEqual([]);
    expect(errors).toEqual([]);
  });
});

describe("a report", () => {
  leaveOut(notLinux);
  let folder = "";
  const ends: Parameters<AtEnd>[0][] = [];
  beforeAll(async () => {
    const atEnd: AtEnd = (end) => void ends.push(end);
    folder = temporaryFolder(atEnd);
    writeFileSync(join(folder, "replay.html"), reportPage({ view: "replay", found: FOUND }, MADE));
    writeFileSync(join(folder, "few.html"), reportPage({ view: "replay", found: FEW }, MADE));
    writeFileSync(join(folder, "month.html"), reportPage({ view: "replay", found: MONTH }, MADE));
    return async () => {
      for (const end of ends.reverse()) await end();
    };
  });

  const opened = async (name: string, options: BrowserContextOptions = {}) => {
    const { page, errors } = await openPage(options);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url().slice(0, 40)));
    await page.goto(`file://${join(folder, name)}`);
    await page.locator("main h1").waitFor();
    return { page, errors, asked };
  };

  it("has no button that changes anything", async () => {
    const { page } = await opened("few.html");
    const names = await page.locator("main button:not(.open)").allInnerTexts();
    expect(names).toEqual(["All", "ask", "deny"]);
    expect(await page.getByRole("status").count()).toBe(0);
  });

  it("of proofs shows agents by scenarios, and why something is not obeyed", async () => {
    const agents = [
      { title: "Claude Code", version: "2.1.325", scenarios: [{ name: "deny", result: "obeyed" as const }] },
      {
        title: "Codex",
        version: "0.166.0",
        scenarios: [
          { name: "deny", result: "not_reached" as const, why: HOSTILE, way_out: "tenterhook install codex" },
          { name: "ask", result: "degraded" as const, why: "Codex refuses instead" },
        ],
      },
    ];
    writeFileSync(join(folder, "proof.html"), reportPage({ view: "prove", found: { agents } }, MADE));
    const { page, errors } = await opened("proof.html");
    const table = page.getByRole("table", { name: "Agents by scenario" });
    expect(await table.getByRole("row").allInnerTexts()).toEqual([
      "Agent\tdeny\task",
      "Claude Code 2.1.325\tobeyed\t–",
      "Codex 0.166.0\tnot reached\tweaker",
    ]);
    await page
      .getByRole("table", { name: "What is not obeyed" })
      .getByText("tenterhook install codex")
      .waitFor();
    expect(await page.locator("img").count()).toBe(0);
    expect(await barriers(page)).toEqual([]);
    expect(errors).toEqual([]);
  });
});
