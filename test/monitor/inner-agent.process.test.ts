import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { takeIn } from "../../src/monitor/intake/take-in.ts";
import { agentProcess } from "../../src/monitor/report/agent-process.ts";
import { monitorEvent, question } from "./support/events.ts";
import { openStore } from "./support/open-store.ts";

/** The agents after `worker` has begun to work in this process, and these events came with its name. */
async function agentsAfter(pid: number, ...events: readonly ReturnType<typeof monitorEvent>[]) {
  const store = await openStore();
  await takeIn(store, [
    monitorEvent("agent:launched", { session_id: undefined, ...agentProcess(pid) }),
    monitorEvent("agent:start", { host: "claude" }),
    monitorEvent("agent:turn"),
    ...events,
  ]);
  const agents = await store.agents();
  return agents.map(({ agent_id, session_id, state, pid }) => ({ agent_id, session_id, state, pid }));
}

const worker = { agent_id: "worker", session_id: "s1", state: "working", pid: process.pid };
const inner = { session_id: "inner" };
const started = () => monitorEvent("agent:start", { ...inner, host: "codex", ...agentProcess(process.ppid) });

describe("an agent that another one started, and that has inherited its name", () => {
  it("is an agent of its own, whose end is not the other one's", async () => {
    const events = [started(), monitorEvent("agent:turn", inner), monitorEvent("agent:exit", inner)];
    expect(await agentsAfter(process.pid, ...events)).toEqual([
      { agent_id: "inner", session_id: "inner", state: "exited", pid: process.ppid },
      worker,
    ]);
  });

  it("asks for itself", async () => {
    expect(await agentsAfter(process.pid, started(), question(inner))).toEqual([
      { agent_id: "inner", session_id: "inner", state: "prompting", pid: process.ppid },
      worker,
    ]);
  });
});

describe("an agent keeps its name", () => {
  it("when its process begins another session", async () => {
    const cleared = monitorEvent("agent:start", { session_id: "s2", ...agentProcess(process.pid) });
    expect(await agentsAfter(process.pid, cleared, monitorEvent("agent:turn", { session_id: "s2" }))).toEqual(
      [{ ...worker, session_id: "s2" }],
    );
  });

  it("when it is started again after its process has ended", async () => {
    expect(await agentsAfter(spawnSync("true").pid, started())).toEqual([
      { agent_id: "worker", session_id: "inner", state: "starting", pid: process.ppid },
    ]);
  });
});
