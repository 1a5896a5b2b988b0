import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { monitorClient } from "../../../src/monitor/client.ts";
import { whoAnswers } from "../../../src/monitor/daemon/peer.ts";
import { originOf } from "../../../src/monitor/person/origin.ts";
import { agentProcess } from "../../../src/monitor/report/agent-process.ts";
import { appendToSpool } from "../../../src/monitor/report/spool.ts";
import { needs } from "../../support/needs.ts";
import { end, eventually } from "../../support/processes.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { testDaemon } from "../support/test-daemon.ts";

needs("curl", "perl", "tmux");

/** Whoever runs the tests may have agents of their own. */
const look: typeof originOf = async (pid, known) => {
  const origin = await originOf(pid, known);
  return { ...origin, agents: origin.agents.filter(({ name }) => name === "worker") };
};

it("a job that an agent gives to a tmux from before it is asked about", async () => {
  const { token, place, environment } = await testDaemon({
    whoAnswers: (socket, agents) => whoAnswers(socket, agents, { look }),
  });
  const folder = temporaryFolder();
  const file = (name: string) => join(folder, name);
  const line = (name: string) =>
    `curl -s -X POST -H "Authorization: Bearer ${token}" --unix-socket ${place.socket} http://x/v1/standing -o ${file(name)}.part; mv ${file(name)}.part ${file(name)}`;
  const env = { PATH: process.env.PATH, HOME: "/tmp" };
  const tmux = (...args: readonly string[]): void =>
    void spawnSync("tmux", ["-S", file("tmux"), "-f", "/dev/null", ...args], { env });
  onTestFinished(() => tmux("kill-server"));
  tmux("new-session", "-d", "sleep 600");
  const agent = spawn("sleep", ["600"], { stdio: "ignore" });
  onTestFinished(() => end(agent));
  appendToSpool({ type: "agent:start", agent_id: "worker", ...agentProcess(agent.pid ?? 0) }, environment);
  await eventually(async () => expect(await monitorClient(environment).agents()).toHaveLength(1));
  tmux("run-shell", "-b", line("run"));
  tmux("if-shell", "-b", line("if"), "");
  tmux("pipe-pane", line("pipe"));
  for (const name of ["run", "if", "pipe"]) {
    await eventually(() => expect(existsSync(file(name)), name).toBe(true));
    expect(JSON.parse(readFileSync(file(name), "utf8")).is, name).toBe("asked");
  }
});
