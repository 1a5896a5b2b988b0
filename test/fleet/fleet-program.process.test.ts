import { describe, expect, it } from "vitest";
import { postgresServer } from "../support/postgres.ts";
import { programFleet } from "./support/program-fleet.ts";

const server = await postgresServer();

describe("a run of a real program", () => {
  it("ends with its result, its log, its session and its cost; it has our hooks, and no address of the database", async () => {
    const rules = 'args.command contains "forbidden" -> deny("The team says no.")';
    const rule = { name: "team-rule", type: "inline", matcher: { events: ["PreToolUse"] }, rules };
    const { fleet, startWorker, until, environment, begun } = await programFleet(server, {
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
      "you: Do it.\ncalls: Bash work\nresult: worked\nagent: All done.\n",
    );
    const [first, variables, hooks] = begun();
    expect(first).toBe("new Do it.");
    expect(variables).toContain("TENTERHOOK_AGENT_ID");
    expect(variables).not.toContain("TENTERHOOK_DATABASE_URL");
    expect(hooks?.split(" ")).toEqual(expect.arrayContaining(["PreToolUse", "Stop"]));
  });

  it("is refused for an agent that nobody knows", async () => {
    const { fleet } = await programFleet(server);
    expect((await fleet("submit", "x", "--agent", "claud")).stderr).toContain(
      '--agent: there is no agent "claud" for runs.',
    );
  });
});
