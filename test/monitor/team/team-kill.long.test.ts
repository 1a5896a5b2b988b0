import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { monitorClient } from "../../../src/monitor/client.ts";
import { createMonitor } from "../../../src/monitor/monitor.ts";
import { daemonPlace } from "../../../src/monitor/report/daemon-place.ts";
import { appendToSpool } from "../../../src/monitor/report/spool.ts";
import { sqliteMonitor } from "../../../src/monitor/store/sqlite-monitor.ts";
import { newProject } from "../../cli/support/project.ts";
import { kill } from "../../support/faults/kill.ts";
import { freePort } from "../../support/free-port.ts";
import { eventually, isAlive } from "../../support/processes.ts";
import { storedEvents } from "../support/events.ts";
import { projectDaemon } from "../support/test-daemon.ts";
import { hookAt } from "../support/waiting-hook.ts";
import { certificates } from "./support/certificates.ts";
import { type Served, serve } from "./support/serve.ts";
import { fileWith, tokensOf } from "./support/served.ts";
import { permission } from "./support/team.ts";

async function killed({ child }: Served): Promise<void> {
  kill(child);
  await once(child, "exit");
}

async function eventsIn(environment: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const store = await sqliteMonitor(daemonPlace(environment).database);
  const ids: string[] = [];
  for (const { id } of await storedEvents(store)) ids.push(id);
  await store.close();
  return ids;
}

it("a server that is killed again and again loses nothing and has nothing twice; questions are answered afterwards", async () => {
  const tls = certificates();
  const [team, laptop] = [newProject(), newProject()];
  const [token = ""] = await tokensOf(team, "reporter");
  const port = await freePort();
  let server = await serve(team, tls, port);
  const own = await projectDaemon(laptop, { lookMilliseconds: 50 });
  const file = fileWith(laptop, "token", token);
  const joined = await laptop.run([
    "monitor",
    "join",
    server.url,
    "--name",
    "laptop",
    "--token-file",
    file,
    "--ca",
    tls.caFile,
  ]);
  expect(joined).toMatchObject({ code: 0, stderr: "" });

  const report = (number: number) =>
    appendToSpool(
      {
        type: "agent:turn",
        agent_id: `worker-${number % 7}`,
        session_id: `s${number % 7}`,
        prompt: `Step ${number}.`,
      },
      laptop.environment,
    );
  for (let round = 0; round < 5; round++) {
    for (let number = 0; number < 40; number++) report(round * 40 + number);
    await sleep(Math.random() * 300);
    await killed(server);
    for (let number = 0; number < 10; number++) report(1000 + round * 10 + number);
    server = await serve(team, tls, port);
  }
  const asked = appendToSpool(
    { type: "agent:prompt", agent_id: "worker-1", session_id: "s1", ...permission() },
    laptop.environment,
  );
  const there = monitorClient(team.environment);
  await eventually(async () =>
    expect(await there.decisions("open")).toMatchObject([{ id: asked.id, machine: "laptop" }]),
  );
  const waiting = hookAt(asked, laptop.environment);
  await monitorClient(laptop.environment).resolve(asked.id, { choices: ["allow"] });
  expect(await waiting).toMatchObject({ answer: { allow: true } });
  await eventually(async () => expect(await there.decisions("open")).toEqual([]));
  expect(await there.decisions("all")).toMatchObject([
    { id: asked.id, resolved: { fate: "given", channel: "cli" } },
  ]);

  await own.close();
  await killed(server);
  const [sent, known] = [await eventsIn(laptop.environment), await eventsIn(team.environment)];
  expect(known).toEqual(sent);
  expect(sent.length).toBeGreaterThan(250);
});

it("a machine's daemon that is killed again and again sends each event once, and gives an answer once", async () => {
  const tls = certificates();
  const [team, laptop] = [newProject(), newProject()];
  const [token = ""] = await tokensOf(team, "reporter");
  const server = await serve(team, tls);
  const here = monitorClient(laptop.environment);
  const killDaemon = async (): Promise<void> => {
    const { pid } = (await here.info()) ?? {};
    if (pid === undefined) throw new Error("No daemon answers.");
    kill(pid);
    await eventually(() => expect(isAlive(pid)).toBe(false));
  };
  onTestFinished(async () => void (await laptop.run(["daemon", "stop"])));
  expect((await laptop.run(["daemon", "start"])).code).toBe(0);
  const file = fileWith(laptop, "token", token);
  const join = ["daemon", "join", server.url, "--name", "laptop", "--token-file", file, "--ca", tls.caFile];
  expect((await laptop.run(join)).code).toBe(0);
  for (let round = 0; round < 3; round++) {
    for (let number = 0; number < 30; number++)
      appendToSpool(
        { type: "agent:turn", agent_id: "worker", session_id: "s1", prompt: `${round} ${number}` },
        laptop.environment,
      );
    await sleep(Math.random() * 1500);
    await killDaemon();
    expect((await laptop.run(["daemon", "start"])).code).toBe(0);
  }
  const { id } = appendToSpool(
    { type: "agent:prompt", agent_id: "worker", session_id: "s1", ...permission() },
    laptop.environment,
  );
  const there = monitorClient(team.environment);
  await eventually(async () => expect(await there.decisions("open")).toHaveLength(1));
  // The answer is on its way when the daemon that is to give it ends.
  await killDaemon();
  const waiting = hookAt({ id }, laptop.environment);
  const store = await sqliteMonitor(daemonPlace(team.environment).database);
  await createMonitor(store).resolve(id, { choices: ["deny"] }, { by: "anna", channel: "dashboard" });
  expect((await laptop.run(["daemon", "start"])).code).toBe(0);
  expect(await waiting).toMatchObject({ answer: { allow: false }, by: "anna" });
  await eventually(async () =>
    expect(await store.decisions("all")).toMatchObject([{ id, resolved: { by: "anna", fate: "given" } }]),
  );
  await eventually(async () => expect(await store.agents()).toMatchObject([{ state: "working" }]));
  await store.close();
  await laptop.run(["daemon", "stop"]);
  await killed(server);
  expect(await eventsIn(team.environment)).toEqual(await eventsIn(laptop.environment));
});
