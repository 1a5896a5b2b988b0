import { expect, it } from "vitest";
import { waitForGivenAnswer } from "../../../src/monitor/report/answers.ts";
import { postgresServer } from "../../support/postgres.ts";
import { eventually } from "../../support/processes.ts";
import { machine, permission } from "./support/team.ts";
import { twoMonitors } from "./support/two-monitors.ts";

const server = await postgresServer();
const NEVER = new AbortController().signal;

type Watched = Pick<Awaited<ReturnType<typeof machine>>, "client">;

/** What a monitor shows, with the names that another one would show. */
async function listOf({ client }: Watched, own: string) {
  const named = (id: string, of: string | undefined) => (of === undefined ? `${id}@${own}` : id);
  const agents = (await client.agents()).map(({ agent_id, machine: of, state, task }) => [
    ...[named(agent_id, of), of ?? own, state, task],
  ]);
  const decisions = (await client.decisions("all")).map(({ id, agent_id, machine: of, state, resolved }) => [
    ...[id, named(agent_id, of), of ?? own, state],
    ...[resolved?.answer, resolved?.by, resolved?.channel, resolved?.delivered],
  ]);
  return { agents: agents.sort(), decisions: decisions.sort() };
}

async function agree(a: Watched, b: Watched): Promise<void> {
  await eventually(async () => expect(await listOf(b, "b")).toEqual(await listOf(a, "a")));
}

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
    const waiting = waitForGivenAnswer(id, 60_000, asking.environment, NEVER);
    const answered = await answering.client.resolve(id, { choices: ["allow"] });
    expect(await waiting).toMatchObject({ answer: { allow: true }, channel: "cli" });
    expect(answered).toMatchObject({ id, state: "resolved" });
    await agree(a, b);
    const end = async ({ client }: Watched) =>
      (await client.decisions("all")).find((one) => one.id === id)?.resolved;
    await eventually(async () => {
      const ends = { a: await end(a), b: await end(b), asking: await end(asking) };
      const taken = { answer: { allow: true }, delivered: true };
      expect(ends).toMatchObject({ a: taken, b: taken, asking: taken });
    });
    expect(await waitForGivenAnswer(id, 0, asking.environment, NEVER)).toBeUndefined();
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
