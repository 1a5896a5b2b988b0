import { expect, it } from "vitest";
import { policyOf } from "../../../src/cli/commands/monitor/dashboard/policy.ts";
import { appendToSpool } from "../../../src/monitor/report/spool.ts";
import { newProject } from "../../cli/support/project.ts";
import { eventually } from "../../support/processes.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { machine, teamMonitor } from "./support/team.ts";

it("hooks are read in the folders of this machine's agents alone, whatever others report", async () => {
  const { environment, cwd } = newProject();
  const foreign = temporaryFolder();
  const team = await teamMonitor({ environment, policy: policyOf(environment) });
  const laptop = await machine();
  await laptop.join(team.url, await team.token({ role: "reporter" }), "laptop");
  laptop.report("agent:turn", { cwd: foreign });
  appendToSpool({ agent_id: "own", type: "agent:turn", cwd }, environment);
  await eventually(async () => expect(await team.client.agents()).toHaveLength(2));
  const headers = { authorization: `Bearer ${await team.token({ role: "viewer" })}` };
  const ask = async (words: string) => (await fetch(`${team.url}/api/hooks${words}`, { headers })).json();
  expect(await ask("")).toMatchObject({ project: cwd, projects: [cwd] });
  expect(await ask(`?project=${encodeURIComponent(foreign)}`)).toMatchObject({
    error: { message: "No hook has run in this project." },
  });
});

it("what an agent costs on another machine counts in that machine's project", async () => {
  const team = await teamMonitor();
  const laptop = await machine();
  await laptop.join(team.url, await team.token({ role: "reporter" }), "laptop");
  const usage = { total_tokens: 1000, cost_usd: 0.5 };
  laptop.report("agent:turn", { cwd: "/srv/shop", new_turn: true, usage });
  await eventually(async () => expect(await team.client.agents()).toMatchObject([{ usage }]));
  const headers = { authorization: `Bearer ${await team.token({ role: "viewer" })}` };
  const costs = async (words: Readonly<Record<string, string>>) => {
    const reply = await fetch(`${team.url}/api/activity?${new URLSearchParams(words)}`, { headers });
    return (await reply.json()).costs;
  };
  const cost = { day: expect.any(String), tokens: 1000, cost_usd: 0.5 };
  expect(await costs({})).toEqual([cost]);
  expect(await costs({ project: "laptop:/srv" })).toEqual([cost]);
  expect(await costs({ project: "/srv/shop" })).toEqual([]);
});
