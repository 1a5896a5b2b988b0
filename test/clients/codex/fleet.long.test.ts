import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { codexDriver } from "../../../src/know/prove/drivers/codex.ts";
import { postgresServer } from "../../support/postgres.ts";
import { clientFleet, expectResumed } from "../support/fleet.ts";

const server = await postgresServer();
const { shell } = codexDriver;

it("a run of Codex obeys the hooks of the worker's user, and ends with its answer, log, session and tokens", async () => {
  const steps = [shell("echo one >> lines.txt"), shell("touch forbidden")];
  const { project, fleet, submit, startWorker, until, sent } = await clientFleet(
    server,
    "codex",
    codexDriver,
    steps,
  );
  const run = await submit({ task: "Work.", agent: "codex" });
  await startWorker();
  const [done] = await until("done", "failed", "dead");
  expect(done).toMatchObject({
    ...{ state: "done", agent: "codex", attempts: 1, result: { text: "done" } },
    session_id: expect.stringMatching(/^[\da-f-]{36}$/),
    usage: { total_tokens: expect.any(Number) },
  });
  expect(readFileSync(join(project.cwd, "lines.txt"), "utf8")).toBe("one\n");
  expect(existsSync(join(project.cwd, "forbidden"))).toBe(false);
  const { stdout } = await fleet("logs", run);
  expect(stdout).toContain("you: Work.\n");
  // Codex does not say itself what it was refused.
  expect(sent()).toContain("The team says no.");
  expect(stdout).toMatch(/agent: done\n$/);
});

it("Codex goes on in its own session when its worker was killed", async () => {
  const steps = [shell("echo one >> lines.txt"), shell("touch begun; sleep 600")];
  const fleet = await clientFleet(server, "codex", codexDriver, steps);
  await expectResumed(fleet, "codex");
});
