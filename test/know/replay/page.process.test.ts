import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { replayPage } from "../../../src/know/replay/page/page.ts";
import type { ChangedCall, Replay } from "../../../src/know/replay/tally.ts";
import { leaveOut, notLinux } from "../../support/not-here.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { chromium, expectDrawn } from "../support/chromium.ts";

const COUNT = 50_000;

function changedCall(at: number): ChangedCall {
  const action = at % 3 === 0 ? "deny" : "ask";
  const time = new Date(Date.UTC(2026, 9, 17) + at * 50_000).toISOString();
  const tool_input = { command: `git push --force origin branch-${at} </script><b>bold</b>` };
  const now = { action, hook: "no-force-push", rule: "force", reason: "Use --force-with-lease." };
  return {
    agent: "claude",
    session: `s${at}`,
    at: time,
    cwd: "/srv/shop",
    tool_name: "Bash",
    tool_input,
    now,
  };
}

const FOUND: Replay = {
  sessions: 214,
  denied_sessions: 19,
  agents: ["claude"],
  events: 90_000,
  unreadable: 12,
  unreadable_places: [],
  would: { deny: 16_667, ask: 33_333, rewrite: 0, same: 40_000 },
  by_hook: [{ hook: "no-force-push", rule: "force", deny: 16_667, ask: 33_333, rewrite: 0 }],
  changed: Array.from({ length: COUNT }, (_, at) => changedCall(at)),
  changed_left_out: 0,
  unjudged: [{ command: "npm test", calls: 412 }],
  not_evaluated: [],
  from: "2026-10-17T00:00:00.000Z",
  until: "2026-11-15T00:00:00.000Z",
};

describe("the page of a replay with 50,000 calls, in Chromium", () => {
  leaveOut(notLinux);
  let folder = "";
  let file = "";
  beforeAll(() => {
    const ends: (() => unknown)[] = [];
    folder = temporaryFolder((end) => ends.push(end));
    file = join(folder, "report.html");
    writeFileSync(file, replayPage(FOUND, new Map([["claude", "Claude Code"]])));
    return async () => {
      for (const end of ends) await end();
    };
  });

  const dumped = (hash: string) => chromium(folder, `file://${file}${hash}`, "--dump-dom");
  const countIn = (dom: string) => /id="count"[^>]*>([^<]*)/.exec(dom)?.[1];
  const rowsOf = (dom: string) => dom.match(/class="row grid"/g)?.length ?? 0;

  it("draws only the rows that can be seen, the last call first, and no text of a call becomes part of the page", async () => {
    const dom = await dumped("");
    expect(rowsOf(dom)).toBeGreaterThan(10);
    expect(rowsOf(dom)).toBeLessThan(60);
    expect(countIn(dom)).toBe("50,000 calls");
    expect(dom).toContain("branch-49999 &lt;/script&gt;&lt;b&gt;bold&lt;/b&gt;");
    expect(dom).not.toContain("<b>bold");
    expect(dom).toContain('aria-label="Changed calls by day"');
  });

  it("finds what a link names", async () => {
    const dom = await dumped("#branch-4321 deny");
    expect(countIn(dom)).toBe("3 of 50,000");
    expect(rowsOf(dom)).toBe(3);
  });

  it("is drawn in light and dark, and as wide as a phone", async () => {
    await expectDrawn(folder, `file://${file}`);
  });
});
