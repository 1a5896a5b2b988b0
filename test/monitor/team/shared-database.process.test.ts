import { expect, it } from "vitest";
import { waitForGivenAnswer } from "../../../src/monitor/report/answers.ts";
import { databaseAddress } from "../../../src/node/postgres/address.ts";
import { postgresServer } from "../../support/postgres.ts";
import { eventually } from "../../support/processes.ts";
import { eventsIn, machine, permission } from "./support/team.ts";

const server = await postgresServer();
const NEVER = new AbortController().signal;

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
  const waiting = waitForGivenAnswer(id, 60_000, laptop.environment, NEVER);
  const answered = await other.client.resolve(id, { choices: ["allow"] });
  expect(await waiting).toMatchObject({ answer: { allow: true } });
  expect(answered).toMatchObject({ state: "resolved", resolved: { delivered: true } });
  const taken = [{ id, state: "resolved", resolved: { answer: { allow: true }, delivered: true } }];
  for (const one of [laptop, other]) expect(await one.client.decisions("all")).toMatchObject(taken);
  await expect(laptop.client.resolve(id, { choices: ["deny"] })).rejects.toMatchObject({
    code: "decision_closed",
  });
});

it("of the answers of two machines one counts, and all three machines know which", async () => {
  const { all } = await machines("laptop", "one", "other");
  const [laptop, one, other] = all;
  if (laptop === undefined || one === undefined || other === undefined)
    throw new Error("Three were asked for.");
  const { id } = laptop.report("agent:prompt", permission());
  for (const monitor of [one, other])
    await eventually(async () => expect(await monitor.client.decisions("open")).toHaveLength(1));
  const waiting = waitForGivenAnswer(id, 60_000, laptop.environment, NEVER);
  await Promise.allSettled([
    one.client.resolve(id, { choices: ["allow"] }),
    other.client.resolve(id, { choices: ["deny"] }),
  ]);
  const { answer } = (await waiting) ?? {};
  for (const monitor of [laptop, one, other])
    await eventually(async () =>
      expect(await monitor.client.decisions("all")).toMatchObject([
        { id, resolved: { answer, delivered: true } },
      ]),
    );
});

it("while the database is killed and away, each machine works on, and everything arrives once afterwards", async () => {
  const { laptop, other } = await two();
  laptop.report("agent:turn", { prompt: "First." });
  await eventually(async () => expect(await other.client.agents()).toHaveLength(1));
  await server.stop("SIGKILL");
  const { id } = laptop.report("agent:prompt", permission());
  await eventually(async () => expect(await laptop.client.decisions("open")).toHaveLength(1));
  const waiting = waitForGivenAnswer(id, 60_000, laptop.environment, NEVER);
  await laptop.client.resolve(id, { choices: ["allow"] });
  expect(await waiting).toMatchObject({ answer: { allow: true } });
  for (let number = 0; number < 100; number++) laptop.report("agent:turn", { prompt: `Step ${number}.` });
  await eventually(async () => expect((await laptop.client.info())?.database?.problem).toBeDefined());
  await server.start();
  await eventually(async () => expect(await other.client.agents()).toMatchObject([{ task: "Step 99." }]));
  await eventually(async () =>
    expect(await other.client.decisions("all")).toMatchObject([
      { id, resolved: { delivered: true, channel: "cli" } },
    ]),
  );
  await laptop.close();
  await other.close();
  const [here, there] = [await eventsIn(laptop.environment), await eventsIn(other.environment)];
  expect(there).toEqual(here);
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
