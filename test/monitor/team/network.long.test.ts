import { expect, it } from "vitest";
import { databaseAddress } from "../../../src/node/postgres/address.ts";
import { newProject, shellCall } from "../../cli/support/project.ts";
import { cutNetwork } from "../../support/faults/cut-network.ts";
import { rulesHook } from "../../support/hook-definitions.ts";
import { postgresServer } from "../../support/postgres.ts";
import { eventually } from "../../support/processes.ts";
import { projectDaemon } from "../support/test-daemon.ts";
import { hookAt } from "../support/waiting-hook.ts";
import { eventsIn, machine, permission, teamMonitor } from "./support/team.ts";

const server = await postgresServer();
/** As long as a request may take, and a pause. */
const PATIENCE = 60_000;

it("while the network to the team's monitor is dark, hooks decide and people answer, and events wait and arrive once", async () => {
  const team = await teamMonitor();
  const network = await cutNetwork(Number(new URL(team.url).port));
  const laptop = await machine();
  await laptop.join(`http://127.0.0.1:${network.port}`, await team.token({ role: "reporter" }), "laptop");
  laptop.report("agent:turn", { prompt: "First." });
  await eventually(async () => expect(await team.client.agents()).toHaveLength(1));

  network.cut();
  const { id } = laptop.report("agent:prompt", permission());
  await eventually(async () => expect(await laptop.client.decisions("open")).toHaveLength(1));
  const waiting = hookAt({ id }, laptop.environment);
  await laptop.client.resolve(id, { choices: ["allow"] });
  expect(await waiting).toMatchObject({ answer: { allow: true } });
  for (let number = 0; number < 100; number++) laptop.report("agent:turn", { prompt: `Step ${number}.` });
  await eventually(async () => expect(await laptop.client.agents()).toMatchObject([{ task: "Step 99." }]));
  expect(await team.client.agents()).toMatchObject([{ task: "First." }]);

  network.healAnew();
  await eventually(
    async () => expect(await team.client.agents()).toMatchObject([{ task: "Step 99." }]),
    PATIENCE,
  );
  await eventually(async () =>
    expect(await team.client.decisions("all")).toMatchObject([
      { id, state: "resolved", resolved: { fate: "given" } },
    ]),
  );
  // And in the other direction.
  const { id: next } = laptop.report("agent:prompt", permission());
  await eventually(async () => expect(await team.client.decisions("open")).toHaveLength(1));
  const second = hookAt({ id: next }, laptop.environment);
  await team.client.resolve(next, { choices: ["deny"] });
  expect(await second).toMatchObject({ answer: { allow: false } });
  await network.close();
  await laptop.close();
  await team.close();
  const [there, here] = [await eventsIn(team.environment), await eventsIn(laptop.environment)];
  expect(new Set(there).size).toBe(there.length);
  expect(here.slice(0, there.length)).toEqual(there);
});

it.each(["healAnew", "healForNew"] as const)(
  "while the network to the database is dark, each machine works on, and everything arrives once afterwards (%s)",
  async (heal) => {
    const network = await cutNetwork(server.port);
    const url = new URL(await server.newDatabase());
    const direct = databaseAddress(url.href, "url");
    url.port = String(network.port);
    const laptop = await machine({ database: { address: databaseAddress(url.href, "url"), name: "laptop" } });
    const other = await machine({ database: { address: direct, name: "other" } });
    laptop.report("agent:turn", { prompt: "First." });
    await eventually(async () => expect(await other.client.agents()).toHaveLength(1));
    network.cut();
    for (let number = 0; number < 50; number++) laptop.report("agent:turn", { prompt: `Step ${number}.` });
    other.report("agent:turn", { prompt: "Elsewhere.", agent_id: "second" });
    await eventually(async () => expect(await laptop.client.agents()).toMatchObject([{ task: "Step 49." }]));
    const { id } = laptop.report("agent:prompt", permission());
    await eventually(async () => expect(await laptop.client.decisions("open")).toHaveLength(1));
    network[heal]();
    await eventually(
      async () => expect(await other.client.decisions("open")).toMatchObject([{ id, machine: "laptop" }]),
      PATIENCE,
    );
    await eventually(async () => expect(await laptop.client.agents()).toHaveLength(2), PATIENCE);
    const waiting = hookAt({ id }, laptop.environment);
    await other.client.resolve(id, { choices: ["allow"] });
    expect(await waiting).toMatchObject({ answer: { allow: true } });
    await network.close();
    await laptop.close();
    await other.close();
    const ids = await eventsIn(other.environment);
    expect(new Set(ids).size).toBe(ids.length);
  },
);

it("a hook decides as always while its machine's monitor reaches nobody", async () => {
  const laptop = newProject();
  await laptop.configure([
    rulesHook("no-publish", 'command contains "npm publish" -> deny("Releases go through CI.")'),
  ]);
  const team = await teamMonitor();
  const network = await cutNetwork(Number(new URL(team.url).port));
  await projectDaemon(laptop, { lookMilliseconds: 50 });
  const file = laptop.write("token", await team.token({ role: "reporter" }));
  const joined = await laptop.run([
    ...["daemon", "join", `http://127.0.0.1:${network.port}`, "--name", "laptop", "--token-file", file],
  ]);
  expect(joined).toMatchObject({ code: 0 });
  network.cut();
  const { stdout } = await laptop.hook(shellCall("npm publish"));
  expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
  network.healAnew();
  // What the hook decided is known there afterwards.
  const viewer = await team.token({ role: "viewer" });
  await eventually(async () => {
    const page = await fetch(`${team.url}/api/calls`, { headers: { authorization: `Bearer ${viewer}` } });
    expect(await page.json()).toMatchObject({ calls: [{ summary: "npm publish", verdict: "deny" }] });
  }, PATIENCE);
});
