import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import { agentProcess } from "../../src/monitor/report/agent-process.ts";
import { needs } from "../support/needs.ts";
import { leaveOut, notLinux } from "../support/not-here.ts";
import { endProcess, eventually } from "../support/processes.ts";
import { loggedIn, pageOpener } from "./support/browser.ts";
import { openScene, type Scene } from "./support/scene.ts";

const openPage = pageOpener();

/** A program on a terminal of its own, which says its process and its terminal. */
const ON_TERMINAL = `import os, pty, time
pid, fd = pty.fork()
if pid == 0:
    os.write(1, f"{os.getpid()} {os.ttyname(0)} \\n".encode())
    time.sleep(600)
print(os.read(fd, 100).decode(), flush=True)
os.waitpid(pid, 0)`;

/** An agent with a process. */
async function runningAgent(scene: Scene, fields: object = {}) {
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

async function opened(scene: Scene, path: string) {
  const { page } = await openPage();
  await loggedIn(page, await scene.client.dashboard(), path);
  return page;
}

describe("an agent in the page", () => {
  leaveOut(notLinux);

  it("reads a message that is sent there, and ends when it is stopped", async () => {
    const scene = await openScene();
    const { ended } = await runningAgent(scene);
    const page = await opened(scene, "/sessions/session-worker");
    await page.getByRole("button", { name: "Send a message" }).click();
    await page.getByRole("textbox", { name: "Message" }).fill("Use the second branch.");
    await page.keyboard.press("Enter");
    await page.getByText("Given to the monitor, which sends it.").waitFor();
    await eventually(async () => expect((await scene.client.agents())[0]).not.toHaveProperty("pending"));
    const prompt = { hook_event_name: "UserPromptSubmit", prompt: "Go on.", session_id: "session-worker" };
    expect((await scene.hook(prompt)).stdout).toContain("Use the second branch.");
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await page.getByRole("button", { name: "Really stop it?" }).click();
    await ended;
    await page.getByText("worker has ended.").waitFor();
  });
});
