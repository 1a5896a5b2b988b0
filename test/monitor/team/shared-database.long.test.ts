import { expect, it } from "vitest";
import { databaseAddress } from "../../../src/node/postgres/address.ts";
import { postgresServer } from "../../support/postgres.ts";
import { eventually } from "../../support/processes.ts";
import { hookAt } from "../support/waiting-hook.ts";
import { eventsIn, machine, permission } from "./support/team.ts";

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

it("of the answers of two machines one counts, and all three machines know which", async () => {
  const { all } = await machines("laptop", "one", "other");
  const [laptop, one, other] = all;
  if (laptop === undefined || one === undefined || other === undefined)
    throw new Error("Three were asked for.");
  const { id } = laptop.report("agent:prompt", permission());
  for (const monitor of [one, other])
    await eventually(async () => expect(await monitor.client.decisions("open")).toHaveLength(1));
  const waiting = hookAt({ id }, laptop.environment);
  await Promise.allSettled([
    one.client.resolve(id, { choices: ["allow"] }),
    other.client.resolve(id, { choices: ["deny"] }),
  ]);
  const { answer } = (await waiting) ?? {};
  for (const monitor of [laptop, one, other])
    await eventually(async () =>
      expect(await monitor.client.decisions("all")).toMatchObject([
        { id, resolved: { answer, fate: "given" } },
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
  const waiting = hookAt({ id }, laptop.environment);
  await laptop.client.resolve(id, { choices: ["allow"] });
  expect(await waiting).toMatchObject({ answer: { allow: true } });
  for (let number = 0; number < 100; number++) laptop.report("agent:turn", { prompt: `Step ${number}.` });
  await eventually(async () => expect((await laptop.client.info())?.database?.problem).toBeDefined());
  await server.start();
  await eventually(async () => expect(await other.client.agents()).toMatchObject([{ task: "Step 99." }]));
  await eventually(async () =>
    expect(await other.client.decisions("all")).toMatchObject([
      { id, resolved: { fate: "given", channel: "cli" } },
    ]),
  );
  await laptop.close();
  await other.close();
  const [here, there] = [await eventsIn(laptop.environment), await eventsIn(other.environment)];
  expect(there).toEqual(here);
});
