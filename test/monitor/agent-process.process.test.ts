import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { hostname } from "node:os";
import { describe, expect, it } from "vitest";
import { agentProcess, hasGone } from "../../src/monitor/report/agent-process.ts";
import { reduce } from "../../src/monitor/state/reduce.ts";
import { hasEnded, procStat, startsOf, thisProcess } from "../../src/node/identity/process-identity.ts";
import type { AgentStatus } from "../../src/shared/monitor/monitor.ts";
import { needs } from "../support/needs.ts";
import { endAfterTest } from "../support/processes.ts";
import { monitorEvent } from "./support/events.ts";

async function running() {
  const child = spawn("sleep", ["300"], { stdio: "ignore" });
  endAfterTest(child);
  await once(child, "spawn");
  const status: AgentStatus = reduce(
    undefined,
    monitorEvent("agent:start", agentProcess(child.pid ?? Number.NaN)),
  );
  return { child, status };
}

describe("an agent's process", () => {
  it("is known by its start, where ps tells the starts of all, also if one has ended", async () => {
    const { child } = await running();
    const { pid: ended } = spawnSync("true");
    const pids = [child.pid ?? 0, ended, process.pid];
    const starts = await startsOf(pids, "darwin");
    needs("ps");
    const one = (pid: number) =>
      execFileSync("ps", ["-o", "lstart=", "-p", `${pid}`], {
        encoding: "utf8",
        env: { ...process.env, LC_ALL: "C" },
      });
    expect([...starts.keys()].toSorted()).toEqual([child.pid, process.pid].toSorted());
    expect(starts.get(process.pid)).toBe(one(process.pid).trim());
    expect(await startsOf([], "darwin")).toEqual(new Map());
    const mark = { ...thisProcess(), started: starts.get(process.pid) ?? "" };
    expect(hasEnded(mark, starts)).toBe(false);
    expect(hasEnded({ ...mark, started: "Thu Jan  1 00:00:00 1970" }, starts)).toBe(true);
    expect((await startsOf([process.pid], "linux")).get(process.pid)).toBe(procStat(process.pid)?.started);
  });

  it("is gone when it has ended", async () => {
    const { child, status } = await running();
    expect(hasGone(status)).toBe(false);
    child.kill();
    await once(child, "exit");
    expect(hasGone(status)).toBe(true);
  });

  it("is gone when another process has its id", async () => {
    const { status } = await running();
    expect(status.process).toMatchObject({ host: hostname(), started: procStat(status.pid ?? 0)?.started });
    const { machine = "" } = status.process ?? {};
    expect(hasGone({ ...status, process: { host: hostname(), machine, started: "1" } })).toBe(true);
  });

  it("is gone when the machine was started again, and unknown on another machine", async () => {
    const { status } = await running();
    const machine = "00000000-0000-0000-0000-000000000000 pid:[1]";
    expect(hasGone({ ...status, process: { host: hostname(), machine } })).toBe(true);
    expect(hasGone({ ...status, process: { host: "elsewhere", machine } })).toBe(false);
  });
});

it("of a process that has ended, what it was started with is not known, which is not nothing", () => {
  expect(agentProcess(spawnSync("true").pid)).not.toHaveProperty("agent_args");
  expect(agentProcess(process.pid)).toHaveProperty("agent_args");
});
