import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { beforeAll, expect, it } from "vitest";
import { monitorClient } from "../../src/monitor/client.ts";
import { daemonPlace } from "../../src/monitor/report/daemon-place.ts";
import { sqliteMonitor } from "../../src/monitor/store/sqlite-monitor.ts";
import { storedEvents } from "../monitor/support/events.ts";
import { mustBeBuilt } from "../repository/support/files.ts";
import { runs } from "../support/long.ts";
import { eventually } from "../support/processes.ts";
import type { Project } from "./support/project.ts";
import { CLI } from "./support/run-cli.ts";
import { servedProject } from "./support/served-project.ts";

const AGENTS = 200;
const SECONDS = runs(3);
const SAMPLE_MILLISECONDS = 100;

beforeAll(mustBeBuilt);

/** `tenterhook hook` as an agent starts it. Resolves to its exit code. */
async function report({ cwd, environment }: Project, agent: number, task: string): Promise<unknown> {
  const { TENTERHOOK_DAEMON: _, ...env } = environment;
  const child = spawn(CLI, ["hook"], { cwd, env, stdio: ["pipe", "ignore", "ignore"] });
  child.stdin.on("error", () => {});
  child.stdin.end(
    JSON.stringify({ hook_event_name: "UserPromptSubmit", session_id: `agent-${agent}`, cwd, prompt: task }),
  );
  const [code] = await once(child, "close");
  return code;
}

const taskOf = (number: number): string => `task ${number}`;

/** When each report was shown for the first time, itself or a later one of its agent. */
function watchTasks({ environment }: Project) {
  const client = monitorClient(environment);
  const shown = new Map<number, number>();
  /** The next report of each agent that was not shown yet. */
  const next = new Map<number, number>();
  let ended = false;
  const look = async (): Promise<void> => {
    while (!ended) {
      const agents = await client.agents().catch(() => []);
      const now = performance.now();
      for (const { task = "" } of agents) {
        const last = Number(task.slice(taskOf(0).length - 1));
        const agent = last % AGENTS;
        for (let number = next.get(agent) ?? agent; number <= last; number += AGENTS) {
          shown.set(number, now);
          next.set(agent, number + AGENTS);
        }
      }
      await wait(SAMPLE_MILLISECONDS);
    }
  };
  const looking = look();
  return {
    shown,
    async end() {
      ended = true;
      await looking;
    },
  };
}

/** The value below which so much of them is. */
function quantile(values: readonly number[], part: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(part * (values.length - 1))] ?? Number.NaN;
}

it.each([20, 100])(
  "200 agents with %i reports a second: none is lost and none counts twice",
  {
    timeout: 120_000 + SECONDS * 10_000,
  },
  async (rate) => {
    const project = await servedProject([]);
    const watched = watchTasks(project);
    const sent = new Map<number, number>();
    const codes: Promise<unknown>[] = [];
    const began = performance.now();
    for (let number = 0; number < rate * SECONDS; number += 1) {
      const due = began + (number * 1000) / rate;
      if (due > performance.now()) await wait(due - performance.now());
      sent.set(number, performance.now());
      codes.push(report(project, number % AGENTS, taskOf(number)));
    }
    const seconds = (performance.now() - began) / 1000;
    expect(new Set(await Promise.all(codes))).toEqual(new Set([0]));
    const store = await sqliteMonitor(daemonPlace(project.environment).database);
    const stored: string[] = [];
    await eventually(async () => {
      stored.length = 0;
      for (const { type, prompt } of await storedEvents(store))
        if (type === "agent:turn") stored.push(String(prompt));
      expect(stored.length).toBeGreaterThanOrEqual(sent.size);
    });
    await store.close();
    await watched.end();
    expect(stored.sort()).toEqual([...sent.keys()].map(taskOf).sort());
    const delays = [...sent].map(
      ([number, at]) => (watched.shown.get(number) ?? Number.POSITIVE_INFINITY) - at,
    );
    console.info(
      `${sent.size} reports of ${AGENTS} agents in ${seconds.toFixed(0)} s (${(sent.size / seconds).toFixed(0)} a second): shown after ${quantile(delays, 0.5).toFixed(0)} ms at the median, ${quantile(delays, 0.95).toFixed(0)} ms at p95`,
    );
  },
);
