import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { stopDaemonAfterTest } from "../cli/support/project.ts";
import { postgresServer } from "../support/postgres.ts";
import { eventually, isAlive } from "../support/processes.ts";
import { type FleetOptions, newFleet } from "./support/fleet.ts";

const server = await postgresServer();
/** Has a program that stands in for Claude Code: here only processes matter. */
const PROGRAMS = fileURLToPath(new URL("support/programs", import.meta.url));

async function programFleet(options: FleetOptions = {}) {
  const fleet = await newFleet(server, { config: {}, ...options });
  const { project, environment } = fleet;
  environment.PATH = [PROGRAMS, environment.PATH].join(delimiter);
  stopDaemonAfterTest({ ...project, environment });
  const begun = (): readonly string[] => {
    const file = join(project.cwd, "begun.txt");
    return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
  };
  const pids = async (): Promise<readonly number[]> => {
    const file = join(project.cwd, "pids.txt");
    await eventually(() => expect(existsSync(file) && readFileSync(file, "utf8")).toContain(" "), 60_000);
    await eventually(async () => expect((await fleet.statuses())[0]?.steps).toBeGreaterThan(1));
    return readFileSync(file, "utf8").split(" ").map(Number);
  };
  const gone = (all: readonly number[]) => eventually(() => expect(all.filter(isAlive)).toEqual([]));
  return { ...fleet, begun, pids, gone };
}

describe("a run of a real program", () => {
  it("ends with its result, its log, its session and its cost; it has our hooks, and no address of the database", async () => {
    const rules = 'args.command contains "forbidden" -> deny("The team says no.")';
    const rule = { name: "team-rule", type: "inline", matcher: { events: ["PreToolUse"] }, rules };
    const { fleet, startWorker, until, environment, begun } = await programFleet({
      config: { hooks: { definitions: [rule] } },
    });
    environment.TELLS_START = "1";
    const { stdout } = await fleet("submit", "Do it.", "--agent", "claude", "--model", "opus", "--json");
    const { run_id } = JSON.parse(stdout);
    await startWorker();
    const [run] = await until("done", "failed", "dead");
    expect(run).toMatchObject({
      ...{ run_id, state: "done", agent: "claude", attempts: 1, steps: 4, result: { text: "All done." } },
      session_id: expect.stringMatching(/^[\w-]{36}$/),
      usage: { input_tokens: 10, output_tokens: 2, total_tokens: 12, cost_usd: 0.25 },
    });
    expect((await fleet("logs", run_id)).stdout).toBe(
      'you: Do it.\ncalls: Bash {"command":"work"}\nresult: worked\nagent: All done.\n',
    );
    const [first, variables, hooks] = begun();
    expect(first).toBe("new Do it.");
    expect(variables).toContain("TENTERHOOK_AGENT_ID");
    expect(variables).not.toContain("TENTERHOOK_DATABASE_URL");
    expect(hooks?.split(" ")).toEqual(expect.arrayContaining(["PreToolUse", "Stop"]));
  });

  it("is refused for an agent that nobody knows", async () => {
    const { fleet } = await programFleet();
    expect((await fleet("submit", "x", "--agent", "claud")).stderr).toContain(
      '--agent: there is no agent "claud" for runs.',
    );
  });
});
