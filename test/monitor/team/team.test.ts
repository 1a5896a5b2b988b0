import { expect, it } from "vitest";
import { waitForGivenAnswer, writeAnswer } from "../../../src/monitor/report/answers.ts";
import { sqliteMonitor } from "../../../src/monitor/store/sqlite-monitor.ts";
import { endMembership } from "../../../src/monitor/team/membership.ts";
import { freePort } from "../../support/free-port.ts";
import { eventually } from "../../support/processes.ts";
import { machine, permission, teamMonitor } from "./support/team.ts";

const NEVER = new AbortController().signal;
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
  const waiting = waitForGivenAnswer(id, 60_000, laptop.environment, NEVER);
  const answered = await team.client.resolve(id, { choices: ["allow"] });
  expect(await waiting).toMatchObject({ answer: { allow: true }, channel: "cli" });
  const taken = { state: "resolved", resolved: { answer: { allow: true }, delivered: true } };
  expect(answered).toMatchObject(taken);
  expect(await laptop.client.decisions("all")).toMatchObject([{ id, ...taken }]);
  await eventually(async () => expect(await team.client.agents()).toMatchObject([{ state: "working" }]));
  expect(await waitForGivenAnswer(id, 0, laptop.environment, NEVER)).toBeUndefined();
  await expect(team.client.resolve(id, { choices: ["deny"] })).rejects.toMatchObject({
    code: "decision_closed",
  });
});

it("an answer that was given on the machine is known to the team, with who gave it", async () => {
  const { team, laptop } = await joined();
  const { id } = laptop.report("agent:prompt", permission());
  await eventually(async () => expect(await team.client.decisions("open")).toHaveLength(1));
  const waiting = waitForGivenAnswer(id, 60_000, laptop.environment, NEVER);
  const { resolved } = await laptop.client.resolve(id, { choices: ["deny"], message: "Not now." });
  expect(await waiting).toMatchObject({ answer: { allow: false, feedback: "Not now." } });
  await eventually(async () =>
    expect(await team.client.decisions("all")).toMatchObject([
      { id, state: "resolved", resolved: { by: resolved?.by, channel: "cli", delivered: true } },
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
  // A hook takes it before the machine's daemon can.
  await writeAnswer(id, { allow: false }, laptop.environment, { by: "anna", channel: "agent" });
  expect(await waitForGivenAnswer(id, 0, laptop.environment, NEVER)).toMatchObject({
    answer: { allow: false },
  });
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
  const waiting = waitForGivenAnswer(id, 60_000, laptop.environment, NEVER);
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

it("people log in at the page with their token: a person answers there, a viewer looks, a machine does neither", async () => {
  const { team, laptop } = await joined();
  const { id } = laptop.report("agent:prompt", permission());
  await eventually(async () => expect(await team.client.decisions("open")).toHaveLength(1));
  const { host } = new URL(team.url);
  const own = { origin: team.url, host };
  const login = (token: string, headers: Readonly<Record<string, string>> = own) =>
    fetch(`${team.url}/login`, {
      method: "POST",
      redirect: "manual",
      headers,
      body: new URLSearchParams({ token }),
    });
  const answer = (cookie: string, headers: Readonly<Record<string, string>> = own) =>
    fetch(`${team.url}/api/decisions/${id}/answer`, {
      method: "POST",
      headers: { ...headers, cookie, "content-type": "application/json" },
      body: JSON.stringify({ choices: ["allow"] }),
    });
  const page = await fetch(team.url, { headers: { accept: "text/html" } });
  expect([page.status, await page.text()]).toEqual([401, expect.stringContaining("Token<input")]);
  const [viewer, person] = [
    await team.token({ role: "viewer" }),
    await team.token({ role: "person", name: "anna" }),
  ];
  expect((await login(await team.token(REPORTER))).status).toBe(403);
  expect((await login("thk_wrong")).status).toBe(401);
  expect((await login(person, { origin: "https://elsewhere.example" })).status).toBe(401);
  const cookies: string[] = [];
  for (const token of [viewer, person]) {
    const { status, headers } = await login(token);
    const cookie = headers.get("set-cookie") ?? "";
    expect([status, headers.get("location"), cookie]).toEqual([
      303,
      "/",
      expect.stringContaining("HttpOnly; SameSite=Strict"),
    ]);
    cookies.push(cookie.split(";")[0] ?? "");
  }
  const [looks = "", answers = ""] = cookies;
  const seen = await fetch(`${team.url}/api/overview`, { headers: { cookie: looks } });
  expect(await seen.json()).toMatchObject({
    agents: [{ name: "worker@laptop" }],
    open: [{ id, agent: "worker@laptop" }],
  });
  expect((await answer(looks)).status).toBe(403);
  expect((await answer(answers, { origin: "https://elsewhere.example" })).status).toBe(401);
  const waiting = waitForGivenAnswer(id, 60_000, laptop.environment, NEVER);
  expect(await (await answer(answers)).json()).toMatchObject({ receipt: { kind: "taken" } });
  expect(await waiting).toEqual({ answer: { allow: true }, by: "anna", channel: "dashboard" });
});

function databaseOf({ XDG_STATE_HOME }: NodeJS.ProcessEnv): string {
  return `${XDG_STATE_HOME}/tenterhook/monitor/monitor.sqlite`;
}

async function eventsIn(file: string): Promise<readonly string[]> {
  const store = await sqliteMonitor(file);
  const ids: string[] = [];
  for await (const { id } of store.events()) ids.push(id);
  await store.close();
  return ids;
}
