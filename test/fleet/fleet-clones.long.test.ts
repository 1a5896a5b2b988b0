import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { submitRun } from "../../src/fleet/submit.ts";
import type { Postgres } from "../../src/node/postgres/open-postgres.ts";
import { eventually } from "../support/processes.ts";
import { clonesIn, newRepository } from "./support/clones.ts";
import { fleetServer, newFleet } from "./support/fleet.ts";

const server = await fleetServer();

/** Waits until a worker has looked for clones that nobody needs: it removes that of a run which is done. */
async function tidied(database: Postgres, { XDG_STATE_HOME }: NodeJS.ProcessEnv): Promise<void> {
  const { run } = await submitRun(database, { task: "Done." });
  await database.query("UPDATE tenterhook.runs SET state = 'done', ended_at = now() WHERE run = $1", [run]);
  const clone = `${XDG_STATE_HOME}/tenterhook-fleet/${run}`;
  mkdirSync(clone);
  // It is renamed before it is removed.
  await eventually(() => expect([clone, `${clone}.gone`].filter(existsSync)).toEqual([]));
}

describe("a run in a clone of a repository", () => {
  it("that may be retried keeps its clone for a week", async () => {
    const { fleet, script, work, until, environment, database } = await newFleet(server, {
      config: { permissions: { mode: "accept-edits" } },
    });
    const repository = newRepository();
    const write = { name: "Write", input: { file_path: "new.txt", content: "hello\n" } };
    const model = script("s", [{ tool_calls: [write] }, { delay_ms: 60_000, text: "Never." }]);
    const submitted = await fleet("submit", "Write.", "--model", model, "--repo", repository);
    const run = submitted.stdout.trim();
    await work();
    const file = join(`${environment.XDG_STATE_HOME}/tenterhook-fleet`, run, "new.txt");
    await eventually(() => expect(existsSync(file)).toBe(true));
    await fleet("cancel", run);
    await until("cancelled");
    const ended = (interval: string) =>
      database.query("UPDATE tenterhook.runs SET ended_at = now() - $1::interval", [interval]);
    await ended("6 days 23 hours");
    await tidied(database, environment);
    expect(clonesIn(environment)).toEqual([run]);
    await ended("7 days 1 minute");
    await eventually(() => expect(clonesIn(environment)).toEqual([]));
  });

  it("whose patch lost something that looks like a secret keeps its clone, and says where", async () => {
    const { fleet, script, work, until, environment, database } = await newFleet(server, {
      config: { permissions: { mode: "accept-edits" } },
    });
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const write = { name: "Write", input: { file_path: "new.txt", content: `${secret}\n` } };
    const model = script("s", [{ tool_calls: [write] }, { text: "Written." }]);
    const submitted = await fleet("submit", "Write.", "--model", model, "--repo", newRepository());
    const run = submitted.stdout.trim();
    await work();
    const [done] = await until("done", "failed", "waiting");
    expect(done?.result?.clone).toBe(`${environment.XDG_STATE_HOME}/tenterhook-fleet/${run}`);
    expect(done?.result?.patch).not.toContain(secret);
    await tidied(database, environment);
    expect(clonesIn(environment)).toEqual([run]);
  });

  it("whose agent gave git programs to run has a patch, and none of them runs", async () => {
    const { fleet, script, work, until, project } = await newFleet(server);
    const canary = join(project.folder, "canary");
    const program = `touch ${canary}; cat`;
    const config = [
      `filter.x.clean "${program}"`,
      `core.fsmonitor "${program}"`,
      `diff.external "${program}"`,
    ];
    const commands = [
      "echo '* filter=x diff=x' > .gitattributes",
      ...config.map((setting) => `git config ${setting}`),
      "echo hello > new.txt",
    ];
    const calls = commands.map((command) => ({ tool_calls: [{ name: "Bash", input: { command } }] }));
    const model = script("s", [...calls, { text: "Written." }]);
    await fleet("submit", "Write.", "--model", model, "--repo", newRepository());
    await work();
    const [done] = await until("done", "failed", "waiting");
    expect(done).toMatchObject({ state: "done", result: { patch: expect.stringContaining("+hello\n") } });
    expect(existsSync(canary)).toBe(false);
  });
});
