import { expect, it } from "vitest";
import { sqliteMonitor } from "../../../src/monitor/store/sqlite-monitor.ts";
import { endMembership } from "../../../src/monitor/team/membership.ts";
import { freePort } from "../../support/free-port.ts";
import { eventually } from "../../support/processes.ts";
import { storedEvents } from "../support/events.ts";
import { hookAt } from "../support/waiting-hook.ts";
import { machine, permission, teamMonitor } from "./support/team.ts";

const REPORTER = { role: "reporter" } as const;

/** A team's monitor with one machine, `laptop`. */
async function joined() {
  const team = await teamMonitor();
  const laptop = await machine();
  const membership = await laptop.join(team.url, await team.token(REPORTER), "laptop");
  return { team, laptop, membership };
}

it("a machine's agents and what they ask are shown with its name, and nothing of its processes and files", async () => {
  const { team, laptop } = await joined();
  laptop.report("agent:start", {
    cwd: "/home/anna/shop",
    transcript_path: "/home/anna/t.jsonl",
    agent_pid: 1,
  });
  laptop.report("agent:prompt", permission());
  await eventually(async () =>
    expect(await team.client.decisions("open")).toMatchObject([
      { agent_id: "worker@laptop", machine: "laptop", source: "permission", cwd: "/home/anna/shop" },
    ]),
  );
  const [agent, ...others] = await team.client.agents();
  expect(others).toEqual([]);
  expect(agent).toMatchObject({ agent_id: "worker@laptop", machine: "laptop", state: "prompting" });
  expect(agent).not.toHaveProperty("pid");
  expect(agent).not.toHaveProperty("transcript_path");
  expect(await laptop.client.agents()).toMatchObject([{ agent_id: "worker" }]);
});

it("two machines have agents of the same name", async () => {
  const team = await teamMonitor();
  for (const name of ["laptop", "server"]) {
    const one = await machine();
    await one.join(team.url, await team.token(REPORTER), name);
    one.report("agent:turn", { prompt: `Work on ${name}.` });
  }
  await eventually(async () =>
    expect((await team.client.agents()).map(({ agent_id, task }) => [agent_id, task])).toEqual([
      ["worker@laptop", "Work on laptop."],
      ["worker@server", "Work on server."],
    ]),
  );
});

it("an answer that is given at the team's monitor reaches the hook that waits, and the receipt comes back", async () => {
  const { team, laptop } = await joined();
  const { id } = laptop.report("agent:prompt", permission());
  await eventually(async () => expect(await team.client.decisions("open")).toHaveLength(1));
  const waiting = hookAt({ id }, laptop.environment);
  const answered = await team.client.resolve(id, { choices: ["allow"] });
  expect(await waiting).toMatchObject({ answer: { allow: true }, channel: "cli" });
  const taken = { state: "resolved", resolved: { answer: { allow: true }, fate: "given" } };
  expect(answered).toMatchObject(taken);
  expect(await laptop.client.decisions("all")).toMatchObject([{ id, ...taken }]);
  await eventually(async () => expect(await team.client.agents()).toMatchObject([{ state: "working" }]));
  await expect(team.client.resolve(id, { choices: ["deny"] })).rejects.toMatchObject({
    code: "decision_closed",
  });
});

it("an answer that was given on the machine is known to the team, with who gave it", async () => {
  const { team, laptop } = await joined();
  const { id } = laptop.report("agent:prompt", permission());
  await eventually(async () => expect(await team.client.decisions("open")).toHaveLength(1));
  const waiting = hookAt({ id }, laptop.environment);
  const { resolved } = await laptop.client.resolve(id, { choices: ["deny"], message: "Not now." });
  expect(await waiting).toMatchObject({ answer: { allow: false, feedback: "Not now." } });
  await eventually(async () =>
    expect(await team.client.decisions("all")).toMatchObject([
      { id, state: "resolved", resolved: { by: resolved?.by, channel: "cli", fate: "given" } },
    ]),
  );
  await expect(team.client.resolve(id, { choices: ["allow"] })).rejects.toThrow(
    "Too late: answered with deny: Not now.",
  );
});

it("of two answers the hook gets the one that the machine had first, and the other person is told", async () => {
  const { team, laptop } = await joined();
  const { id } = laptop.report("agent:prompt", permission());
  await eventually(async () => expect(await team.client.decisions("open")).toHaveLength(1));
  const waiting = hookAt({ id }, laptop.environment);
  await laptop.client.resolve(id, { choices: ["deny"] });
  expect(await waiting).toMatchObject({ answer: { allow: false } });
  await expect(team.client.resolve(id, { choices: ["allow"] })).rejects.toMatchObject({
    code: "decision_closed",
  });
  await eventually(async () => expect(await team.client.decisions("open")).toEqual([]));
});

it("what the monitor is to do for an agent is done on the agent's machine, and only there", async () => {
  const carried: string[] = [];
  const team = await teamMonitor({ carryOut: (id) => carried.push(`team ${id}`) });
  const laptop = await machine({ carryOut: (id) => carried.push(`laptop ${id}`) });
  await laptop.join(team.url, await team.token(REPORTER), "laptop");
  laptop.report("agent:signal", { signal: "escalate", message: "May I?" });
  await eventually(async () => expect(await team.client.decisions("open")).toHaveLength(1));
  const [asked] = await team.client.decisions("open");
  await team.client.resolve(asked?.id ?? "", { choices: ["Go on."] });
  await eventually(() => expect(carried).toHaveLength(1));
  const [{ pending } = { pending: undefined }] = await laptop.client.agents();
  expect(pending).toMatchObject({ action: "nudge", message: "Go on.", decision: asked?.id });
  expect(carried).toEqual([`laptop ${pending?.id}`]);
  await eventually(async () =>
    expect(await team.client.agents()).toMatchObject([{ pending: { id: pending?.id } }]),
  );
  expect(carried).toHaveLength(1);
});

it("while the team's monitor is away, the machine works on, and everything arrives once when it is back", async () => {
  const serve = { host: "127.0.0.1", port: await freePort(), tls: "proxy" } as const;
  const team = await teamMonitor({ serve });
  const laptop = await machine();
  await laptop.join(team.url, await team.token(REPORTER), "laptop");
  laptop.report("agent:turn", { prompt: "First." });
  await eventually(async () => expect(await team.client.agents()).toHaveLength(1));
  await team.close();

  const { id } = laptop.report("agent:prompt", permission());
  await eventually(async () => expect(await laptop.client.decisions("open")).toHaveLength(1));
  const waiting = hookAt({ id }, laptop.environment);
  await laptop.client.resolve(id, { choices: ["allow"] });
  expect(await waiting).toMatchObject({ answer: { allow: true } });
  laptop.report("agent:turn", { prompt: "Second." });
  await eventually(async () =>
    expect((await laptop.client.info())?.team?.problem).toContain("does not answer"),
  );

  const back = await teamMonitor({ environment: team.environment, serve });
  await eventually(async () => expect(await back.client.agents()).toMatchObject([{ task: "Second." }]));
  await eventually(async () => expect((await laptop.client.info())?.team).not.toHaveProperty("problem"));
  await back.close();
  await laptop.close();
  const [there, here] = [await eventsIn(team.place.database), await eventsIn(databaseOf(laptop.environment))];
  expect(there).toEqual(here);
  expect(new Set(there).size).toBe(there.length);
});

it("a machine that has left reports nothing any more, and has no token", async () => {
  const { team, laptop } = await joined();
  laptop.report("agent:turn", { prompt: "First." });
  await eventually(async () => expect(await team.client.agents()).toHaveLength(1));
  endMembership(laptop.environment);
  await eventually(async () => expect(await laptop.client.info()).not.toHaveProperty("team"));
  laptop.report("agent:turn", { prompt: "Second." });
  await eventually(async () => expect(await laptop.client.agents()).toMatchObject([{ task: "Second." }]));
  expect(await team.client.agents()).toMatchObject([{ task: "First." }]);
});

it("the page sends a person's token: a person answers there, a viewer looks, a machine does neither", async () => {
  const { team, laptop } = await joined();
  const { id } = laptop.report("agent:prompt", permission());
  await eventually(async () => expect(await team.client.decisions("open")).toHaveLength(1));
  const overview = (headers: Readonly<Record<string, string>>) =>
    fetch(`${team.url}/api/overview`, { headers });
  const answer = (headers: Readonly<Record<string, string>>) =>
    fetch(`${team.url}/api/decisions/${id}/answer`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ choices: ["allow"] }),
    });
  const person = await team.token({ role: "person", name: "anna" });
  const [looks, answers, reports] = [
    bearer(await team.token({ role: "viewer" })),
    bearer(person),
    bearer(await team.token(REPORTER)),
  ];
  expect(await (await overview(looks)).json()).toMatchObject({
    agents: [{ name: "worker@laptop" }],
    open: [{ id, agent: "worker@laptop" }],
    token: { role: "viewer" },
  });
  expect((await overview(reports)).status).toBe(403);
  expect((await answer(looks)).status).toBe(403);
  for (const name of ["tenterhook-team", "__Host-tenterhook-team", "authorization"])
    expect((await answer({ cookie: `${name}=${person}` })).status).toBe(401);
  const waiting = hookAt({ id }, laptop.environment);
  expect(await (await answer(answers)).json()).toMatchObject({ receipt: { kind: "given" } });
  expect(await waiting).toMatchObject({ answer: { allow: true }, by: "anna", channel: "dashboard" });
});

it("without TLS people are refused, and machines and viewers are not", async () => {
  const team = await teamMonitor({ serve: { host: "127.0.0.1", port: 0 } });
  const person = bearer(await team.token({ role: "person" }));
  const paths = ["/api/overview", "/v1/agents", "/v1/team"];
  for (const path of paths) {
    const reply = await fetch(`${team.url}${path}`, { headers: person });
    expect([reply.status, await reply.text()]).toEqual([403, expect.stringContaining("over TLS only")]);
  }
  const resolve = `${team.url}/v1/decisions/x/resolve`;
  expect((await fetch(resolve, { method: "POST", headers: person, body: "{}" })).status).toBe(403);
  for (const role of ["viewer", "reporter"] as const) {
    const headers = bearer(await team.token({ role }));
    expect((await fetch(`${team.url}/v1/team`, { headers })).status).toBe(200);
  }
});

it("the login of a page of the server's own user is no token of the team", async () => {
  const team = await teamMonitor();
  const link = new URL(await team.client.dashboard());
  const reply = await fetch(new URL("/api/login", link), {
    method: "POST",
    body: JSON.stringify({ code: link.hash.slice("#login=".length) }),
  });
  const { token }: { token: string } = JSON.parse(await reply.text());
  const own = await fetch(new URL("/api/overview", link), { headers: bearer(token) });
  const there = await fetch(`${team.url}/api/overview`, { headers: bearer(token) });
  expect([own.status, there.status]).toEqual([200, 403]);
  const person = await team.token({ role: "person" });
  expect((await fetch(new URL("/api/overview", link), { headers: bearer(person) })).status).toBe(401);
});

function bearer(token: string) {
  return { authorization: `Bearer ${token}` };
}

function databaseOf({ XDG_STATE_HOME }: NodeJS.ProcessEnv): string {
  return `${XDG_STATE_HOME}/tenterhook/monitor/monitor.sqlite`;
}

async function eventsIn(file: string): Promise<readonly string[]> {
  const store = await sqliteMonitor(file);
  const ids: string[] = [];
  for (const { id } of await storedEvents(store)) ids.push(id);
  await store.close();
  return ids;
}
