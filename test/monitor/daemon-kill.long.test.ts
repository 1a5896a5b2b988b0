import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { monitorClient } from "../../src/monitor/client.ts";
import { daemonPlace } from "../../src/monitor/report/daemon-place.ts";
import { appendToSpool } from "../../src/monitor/report/spool.ts";
import { sqliteMonitor } from "../../src/monitor/store/sqlite-monitor.ts";
import type { MonitorEvent } from "../../src/shared/monitor/events.ts";
import { CLI } from "../cli/support/run-cli.ts";
import { kill } from "../support/faults/kill.ts";
import { runs } from "../support/long.ts";
import { endAfterTest, eventually } from "../support/processes.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { storedEvents } from "./support/events.ts";
import { ASKER, hookAt } from "./support/waiting-hook.ts";

const KILLS = runs(6);

it("kill -9 at random moments loses no event and no decision, and takes none in twice", {
  timeout: 120_000 + KILLS * 10_000,
}, async () => {
  const environment = { ...process.env, XDG_STATE_HOME: temporaryFolder() };
  const start = () => {
    const daemon = spawn(process.execPath, [CLI, "daemon", "start", "--foreground"], {
      env: environment,
      stdio: "ignore",
    });
    endAfterTest(daemon);
    return daemon;
  };
  const client = monitorClient(environment);
  const written: string[] = [];
  const asked: string[] = [];
  const answered: string[] = [];
  /** Whose hooks have got an answer. */
  const given: string[] = [];
  const over = new AbortController();
  onTestFinished(() => over.abort());
  const hold = (asks: MonitorEvent): void => {
    asked.push(asks.id);
    void hookAt(asks, environment, { signal: over.signal }).then((answer) => {
      if (answer !== undefined) given.push(asks.id);
    });
  };
  let kills = 0;
  const write = async (writer: number): Promise<void> => {
    for (let count = 0; kills < KILLS; count += 1) {
      // As much as a daemon on a busy machine can take in before it is killed.
      while (written.length > 500 * (kills + 1) && kills < KILLS) await wait(20);
      const waits_until = new Date(Date.now() + 600_000).toISOString();
      const asks = {
        type: "agent:prompt",
        prompt_type: "permission",
        question: `${count}`,
        waits_until,
        ...ASKER,
      } as const;
      const event =
        count % 10 === 0 && asked.length - answered.length < 20 + kills
          ? { ...asks, agent_id: `asks-${writer}-${count}` }
          : ({ type: "agent:turn", agent_id: `works-${count % 7}` } as const);
      const reported = appendToSpool(event, environment);
      written.push(reported.id);
      if (event.type === "agent:prompt") hold(reported);
      await wait(2);
    }
  };
  const look = async (): Promise<void> => {
    while (kills < KILLS) {
      await client.agents().catch(() => undefined);
      await wait(5);
    }
  };
  const answer = async (): Promise<void> => {
    while (kills < KILLS) {
      try {
        const [open] = await client.decisions("open");
        if (open !== undefined) answered.push((await client.resolve(open.id, { choices: ["allow"] })).id);
      } catch {
        // Killed in the middle, or superseded meanwhile: nothing was acknowledged.
      }
      await wait(5);
    }
  };
  const killAgain = async (): Promise<void> => {
    for (; kills < KILLS; kills += 1) {
      const daemon = start();
      const before = answered.length;
      // Some are killed while they start, some when they have just answered.
      if (kills % 3 > 0) await eventually(async () => expect(await client.info()).toBeDefined());
      if (kills % 3 > 1) await eventually(() => expect(answered.length).toBeGreaterThan(before));
      await wait(Math.random() * 150);
      const ended = once(daemon, "exit");
      kill(daemon);
      await ended;
    }
  };
  await Promise.all([write(1), write(2), write(3), look(), look(), answer(), killAgain()]);
  const last = start();
  await eventually(async () => expect(await client.info()).toBeDefined());
  // It answers when it has taken in what was reported while it was killed.
  await eventually(async () => {
    const all = await client.decisions("all", 10_000);
    const resolved = all.filter(({ state }) => state === "resolved");
    expect(given.toSorted()).toEqual(resolved.map(({ id }) => id).toSorted());
    expect(resolved.filter((decision) => decision.resolved?.fate !== "given")).toEqual([]);
  });
  over.abort();
  const ended = once(last, "exit");
  await client.stop();
  await ended;
  const store = await sqliteMonitor(daemonPlace(environment).database);
  onTestFinished(() => store.close());
  const stored: string[] = [];
  for (const { id, type } of await storedEvents(store)) if (type !== "agent:answer") stored.push(id);
  expect(stored).toEqual(written);
  const decisions = await store.decisions("all");
  expect(decisions.map(({ id }) => id).sort()).toEqual([...asked].sort());
  expect(new Set(answered).size).toBe(answered.length);
  const resolved = decisions.filter(({ state }) => state === "resolved");
  expect(answered.length).toBeGreaterThan(0);
  expect(resolved.map(({ id }) => id)).toEqual(expect.arrayContaining(answered));
});
