import { expect, it } from "vitest";
import { databaseAddress } from "../../../src/node/postgres/address.ts";
import { postgresServer } from "../../support/postgres.ts";
import { eventually } from "../../support/processes.ts";
import { hookAt } from "../support/waiting-hook.ts";
import { machine, permission } from "./support/team.ts";

const server = await postgresServer();

/** Machines whose monitors share a new database. */
async function machines(...names: readonly string[]) {
  const address = databaseAddress(await server.newDatabase(), "url");
  const all = [];
  for (const name of names) all.push(await machine({ database: { address, name } }));
  return { address, all };
}

async function two() {
  const { address, all } = await machines("laptop", "server");
  const [laptop, other] = all;
  if (laptop === undefined || other === undefined) throw new Error("Two were asked for.");
  return { address, laptop, other };
}

it("every machine's monitor shows the agents of all, with the names of their machines, and they agree", async () => {
  const { laptop, other } = await two();
  laptop.report("agent:turn", { prompt: "Here." });
  other.report("agent:turn", { prompt: "There.", agent_pid: 1 });
  const seen = async (one: typeof laptop) =>
    (await one.client.agents()).map(({ agent_id, task, pid }) => [agent_id, task, pid]);
  await eventually(async () =>
    expect([await seen(laptop), await seen(other)]).toEqual([
      [
        ["worker", "Here.", undefined],
        ["worker@server", "There.", undefined],
      ],
      [
        ["worker", "There.", 1],
        ["worker@laptop", "Here.", undefined],
      ],
    ]),
  );
});

it("an answer given on another machine reaches the hook that waits, once, and both know what came of it", async () => {
  const { laptop, other } = await two();
  const { id } = laptop.report("agent:prompt", permission());
  await eventually(async () =>
    expect(await other.client.decisions("open")).toMatchObject([{ id, machine: "laptop" }]),
  );
  const waiting = hookAt({ id }, laptop.environment);
  const answered = await other.client.resolve(id, { choices: ["allow"] });
  expect(await waiting).toMatchObject({ answer: { allow: true } });
  expect(answered).toMatchObject({ state: "resolved", resolved: { fate: "given" } });
  const taken = [{ id, state: "resolved", resolved: { answer: { allow: true }, fate: "given" } }];
  for (const one of [laptop, other]) expect(await one.client.decisions("all")).toMatchObject(taken);
  await expect(laptop.client.resolve(id, { choices: ["deny"] })).rejects.toMatchObject({
    code: "decision_closed",
  });
});

it("two machines of one name have two names, and the address that is shown has no password", async () => {
  const { all } = await machines("laptop", "laptop");
  await eventually(async () => {
    const shown = await Promise.all(all.map(async (one) => (await one.client.info())?.database));
    expect(shown.map((one) => one?.machine ?? "").sort()).toEqual([
      "laptop",
      expect.stringMatching(/^laptop-\w{4}$/),
    ]);
    expect(JSON.stringify(shown)).not.toContain(server.password);
  });
});
