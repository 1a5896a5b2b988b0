import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { databaseAddress } from "../../../src/node/postgres/address.ts";
import { cutNetwork } from "../../support/faults/cut-network.ts";
import { postgresServer } from "../../support/postgres.ts";
import { eventually } from "../../support/processes.ts";
import { hookAt } from "../support/waiting-hook.ts";
import { machine, permission, teamMonitor } from "./support/team.ts";
import { twoMonitors } from "./support/two-monitors.ts";

const server = await postgresServer();

type Watched = Pick<Awaited<ReturnType<typeof machine>>, "client">;

/** What a monitor shows, with the names that another one would show. */
async function listOf({ client }: Watched, own: string) {
  const named = (id: string, of: string | undefined) => (of === undefined ? `${id}@${own}` : id);
  const agents = (await client.agents()).map(({ agent_id, machine: of, state, task }) => [
    ...[named(agent_id, of), of ?? own, state, task],
  ]);
  const decisions = (await client.decisions("all")).map(({ id, agent_id, machine: of, state, resolved }) => [
    ...[id, named(agent_id, of), of ?? own, state],
    ...[resolved?.answer, resolved?.by, resolved?.channel, resolved?.fate],
  ]);
  return { agents: agents.sort(), decisions: decisions.sort() };
}

async function agree(a: Watched, b: Watched): Promise<void> {
  await eventually(async () => expect(await listOf(b, "b")).toEqual(await listOf(a, "a")));
}

it("two monitors show the same list, with the machine that joined one of them, also after one was away", async () => {
  const { a, b, c, database, serve } = await twoMonitors(server);
  for (const one of [b, c]) {
    one.report("agent:turn", { prompt: "First." });
    one.report("agent:prompt", permission());
  }
  await eventually(async () => expect((await listOf(b, "b")).decisions).toHaveLength(2));
  await agree(a, b);
  expect((await listOf(b, "b")).agents.map(([name]) => name)).toEqual(["worker@b", "worker@c"]);

  await b.close();
  const [asked] = (await a.client.decisions("open")).filter(({ machine: of }) => of === "c");
  const waiting = hookAt({ id: asked?.id ?? "" }, c.environment);
  await a.client.resolve(asked?.id ?? "", { choices: ["deny"], message: "No." });
  expect(await waiting).toMatchObject({ answer: { allow: false } });
  c.report("agent:turn", { prompt: "Second." });
  c.report("agent:prompt", permission());
  await eventually(async () => expect(await a.client.decisions("open")).toHaveLength(2));
  const back = await machine({ ...database("b"), environment: b.environment });
  await eventually(async () => expect((await listOf(back, "b")).decisions).toHaveLength(3));
  await agree(a, back);

  // The serving one was away, and the machine that joined it went on meanwhile.
  await a.close();
  c.report("agent:turn", { prompt: "Third." });
  back.report("agent:turn", { prompt: "Fourth." });
  const served = await teamMonitor({ ...database("a"), environment: a.environment, serve });
  await eventually(async () =>
    expect((await listOf(back, "b")).agents.map(([, , , task]) => task)).toEqual(["Fourth.", "Third."]),
  );
  await agree(served, back);
});

it("of answers given at both monitors to the machine that joined, one counts, and both know which", async () => {
  const { a, b, c } = await twoMonitors(server);
  const { id } = c.report("agent:prompt", permission());
  for (const one of [a, b])
    await eventually(async () => expect(await one.client.decisions("open")).toHaveLength(1));
  const waiting = hookAt({ id }, c.environment);
  await Promise.allSettled([
    a.client.resolve(id, { choices: ["allow"] }),
    b.client.resolve(id, { choices: ["deny"] }),
  ]);
  const { answer } = (await waiting) ?? {};
  for (const one of [a, b])
    await eventually(async () =>
      expect(await one.client.decisions("all")).toMatchObject([{ id, resolved: { answer, fate: "given" } }]),
    );
});

it("a machine can join as soon as its server serves, before that has opened its database", async () => {
  const url = new URL(await server.newDatabase());
  const network = await cutNetwork(server.port);
  url.port = String(network.port);
  const c = await machine();
  network.cut();
  const a = await teamMonitor({ database: { address: databaseAddress(url.href, "url"), name: "a" } });
  const joining = c.join(a.url, await a.token({ role: "reporter" }), "c");
  const failed = await Promise.race([joining.then(() => "joined", String), pause(300, "waits")]);
  expect(failed).toBe("waits");
  network.heal();
  expect(await joining).toMatchObject({ machine: "c" });
});

it("a machine can't join a server whose database is away, and is told why", async () => {
  const address = databaseAddress("postgres://tester:secret@127.0.0.1:1/none", "url");
  const a = await teamMonitor({ database: { address, name: "a" } });
  const c = await machine();
  const token = await a.token({ role: "reporter" });
  await expect(c.join(a.url, token, "c")).rejects.toThrow("127.0.0.1:1/none is away");
});

it("an answer given at either monitor reaches the agents of the other and of the machine that joined, once", async () => {
  const { a, b, c } = await twoMonitors(server);
  for (const [answering, asking] of [
    [a, b],
    [a, c],
    [b, c],
  ] as const) {
    const { id } = asking.report("agent:prompt", permission());
    await eventually(async () =>
      expect((await answering.client.decisions("open")).map((one) => one.id)).toEqual([id]),
    );
    const waiting = hookAt({ id }, asking.environment);
    const answered = await answering.client.resolve(id, { choices: ["allow"] });
    expect(await waiting).toMatchObject({ answer: { allow: true }, channel: "cli" });
    expect(answered).toMatchObject({ id, state: "resolved" });
    await agree(a, b);
    const end = async ({ client }: Watched) =>
      (await client.decisions("all")).find((one) => one.id === id)?.resolved;
    await eventually(async () => {
      const ends = { a: await end(a), b: await end(b), asking: await end(asking) };
      const taken = { answer: { allow: true }, fate: "given" };
      expect(ends).toMatchObject({ a: taken, b: taken, asking: taken });
    });
  }
});

it("a machine that joins by the name of another one of the database gets another name, and speaks for itself alone", async () => {
  const { a, b } = await twoMonitors(server);
  const { id } = b.report("agent:prompt", permission());
  await eventually(async () => expect(await a.client.decisions("open")).toHaveLength(1));
  const other = await machine();
  const { machine: name } = await other.join(a.url, await a.token({ role: "reporter" }), "b");
  expect(name).toMatch(/^b-\w{4}$/);
  other.report("agent:prompt", permission());
  await eventually(async () => expect(await b.client.decisions("open")).toHaveLength(2));
  expect((await b.client.agents()).map(({ agent_id }) => agent_id)).toEqual(["worker", `worker@${name}`]);
  expect(await a.client.decisions("open")).toEqual(
    expect.arrayContaining([expect.objectContaining({ id, machine: "b", state: "open" })]),
  );
});
