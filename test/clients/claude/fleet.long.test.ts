import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { claudeDriver } from "../../../src/know/prove/drivers/claude.ts";
import { postgresServer } from "../../support/postgres.ts";
import { clientFleet, expectResumed } from "../support/fleet.ts";

const server = await postgresServer();
const { shell } = claudeDriver;
const UNASKED = JSON.stringify({ permissions: { defaultMode: "bypassPermissions" } });

it("a run of Claude Code obeys the hooks of the worker's user, and ends with its answer, log, session and cost", async () => {
  const steps = [shell("echo one >> lines.txt"), shell("touch forbidden")];
  const { project, fleet, submit, startWorker, until } = await clientFleet(
    server,
    "claude",
    claudeDriver,
    steps,
  );
  project.write("../home/.claude/settings.json", UNASKED);
  const run = await submit({ task: "Work.", agent: "claude" });
  await startWorker();
  const [done] = await until("done", "failed", "dead");
  expect(done).toMatchObject({
    ...{ state: "done", agent: "claude", attempts: 1, result: { text: "done" } },
    session_id: expect.stringMatching(/^[\da-f-]{36}$/),
    usage: { cost_usd: expect.any(Number), total_tokens: expect.any(Number) },
  });
  expect(readFileSync(join(project.cwd, "lines.txt"), "utf8")).toBe("one\n");
  expect(existsSync(join(project.cwd, "forbidden"))).toBe(false);
  const { stdout } = await fleet("logs", run);
  expect(stdout).toContain("you: Work.\n");
  expect(stdout).toContain("The team says no.");
  expect(stdout).toMatch(/agent: done\n$/);
});

it("Claude Code goes on in its own session when its worker was killed", async () => {
  const steps = [shell("echo one >> lines.txt"), shell("touch begun; sleep 600")];
  const fleet = await clientFleet(server, "claude", claudeDriver, steps);
  fleet.project.write("../home/.claude/settings.json", UNASKED);
  await expectResumed(fleet, "claude");
});
