import { expect, it } from "vitest";
import { monitorClient } from "../../../src/monitor/client.ts";
import { appendToSpool } from "../../../src/monitor/report/spool.ts";
import { eventually } from "../../support/processes.ts";
import { testDaemon } from "../support/test-daemon.ts";

it("the daemon does for an agent what its pattern says, and for the others what holds for all", async () => {
  const { environment } = await testDaemon({
    settingsFor: async () => ({ on_dead: "escalate", agents: { "reviewer*": { on_dead: "done" } } }),
    lookMilliseconds: 20,
  });
  for (const agent_id of ["reviewer-1", "worker-1"])
    appendToSpool({ type: "agent:exit", agent_id, exit_code: 3 }, environment);
  const client = monitorClient(environment);
  await eventually(async () => {
    const outcomes = (await client.agents()).map(({ agent_id, outcome }) => [agent_id, outcome]);
    expect(outcomes.sort()).toEqual([
      ["reviewer-1", "done"],
      ["worker-1", undefined],
    ]);
    expect((await client.decisions("open")).map(({ agent_id }) => agent_id)).toEqual(["worker-1"]);
  });
});
