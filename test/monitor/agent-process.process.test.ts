import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { AgentStatus } from "../../src/core/contracts/monitor.ts";
import { agentProcess, hasGone } from "../../src/monitor/agent-process.ts";
import { reduce } from "../../src/monitor/state/reduce.ts";
import { tryLock } from "../../src/node/files/lock.ts";
import { procStat } from "../../src/node/process/identity/proc-stat.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { monitorEvent } from "./support/events.ts";

async function running() {
  const child = spawn("sleep", ["300"], { stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "spawn");
  const status: AgentStatus = reduce(
    undefined,
    monitorEvent("agent:start", agentProcess(child.pid ?? Number.NaN)),
  );
  return { child, status };
}

describe("an agent's process", () => {
  it("is gone when it has ended", async () => {
    const { child, status } = await running();
    expect(hasGone(status)).toBe(false);
    child.kill("SIGKILL");
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

describe("a lock", () => {
  it("of a process that has ended is free although another process has its id", async () => {
    const { child } = await running();
    const file = join(temporaryFolder(), "lock");
    const started = procStat(child.pid ?? 0)?.started;
    const held = (start: string | undefined) => `${child.pid} ${hostname()} 0a1b2c ${start}`;
    writeFileSync(file, held(started));
    expect(tryLock(file)).toBeUndefined();
    writeFileSync(file, held("1"));
    const release = tryLock(file);
    expect(release).toBeDefined();
    release?.();
  });
});
