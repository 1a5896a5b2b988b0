import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContextOptions } from "playwright-core";
import { beforeAll } from "vitest";
import { reportPage } from "../../../src/monitor/dashboard/report.ts";
import type { ReplayedCall, ReplayView } from "../../../src/shared/replay.ts";
import { type AtEnd, temporaryFolder } from "../../support/temporary-folder.ts";
import type { pageOpener } from "./browser.ts";

const COUNT = 50_000;
export const HOSTILE = `</script><img src=x onerror="document.title='taken'">\u202e\u001b[31m`;
export const MADE = new Date(2026, 10, 18, 1, 20);

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

/** Writes the reports for the tests of the `describe` that calls this, into the folder that it also tells, and opens them. */
export function reports(openPage: ReturnType<typeof pageOpener>) {
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

  return { folder: () => folder, opened };
}
