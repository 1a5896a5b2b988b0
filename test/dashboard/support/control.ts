import { spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { agentProcess } from "../../../src/monitor/report/agent-process.ts";
import { needs } from "../../support/needs.ts";
import { endProcess } from "../../support/processes.ts";
import type { Scene } from "./scene.ts";

/** A program on a terminal of its own, which says its process and its terminal. */
const ON_TERMINAL = `import os, pty, time
pid, fd = pty.fork()
if pid == 0:
    os.write(1, f"{os.getpid()} {os.ttyname(0)} \\n".encode())
    time.sleep(600)
print(os.read(fd, 100).decode(), flush=True)
os.waitpid(pid, 0)`;

/** An agent with a process. */
export async function runningAgent(scene: Scene, fields: object = {}) {
  needs("python3");
  const terminal = spawn("python3", ["-c", ON_TERMINAL], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(terminal.stdout, "data");
  const [pid = "", tty = ""] = String(line).trim().split(" ");
  onTestFinished(() => {
    try {
      endProcess(Number(pid));
    } catch {
      // It has ended.
    }
  });
  scene.report([
    [3, "agent:launched", "worker", { host: "claude", ...agentProcess(Number(pid)) }],
    [2, "agent:turn", "worker", { prompt: "Work.", new_turn: true }],
    [1, "agent:prompt", "worker", { prompt_type: "permission", question: "May I?", ...fields }],
  ]);
  return { tty, ended: once(terminal, "exit") };
}
