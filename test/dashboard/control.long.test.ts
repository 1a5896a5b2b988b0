import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import { agentProcess } from "../../src/monitor/report/agent-process.ts";
import { needs } from "../support/needs.ts";
import { leaveOut, notLinux } from "../support/not-here.ts";
import { endProcess } from "../support/processes.ts";
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

  it("that only its own terminal can answer names that terminal, and has no buttons", async () => {
    const scene = await openScene();
    const { tty } = await runningAgent(scene, { only_at_terminal: true });
    const page = await opened(scene, "/inbox");
    const article = page.getByRole("article", { name: "worker" });
    await article.getByText(`Only its own terminal takes one: ${tty}.`).waitFor();
    const buttons = await article.getByRole("button").allInnerTexts();
    expect(buttons).toEqual(["Take off the list"]);
    const reply = scene.client.resolve((await scene.client.decisions("open"))[0]?.id ?? "", {
      choices: ["allow"],
    });
    await expect(reply).rejects.toThrow("Refused: worker takes an answer to this only in its own terminal.");
  });

  it("of which nobody has heard for long says since when", async () => {
    const scene = await openScene();
    const since = scene.ago(40);
    scene.report([
      [60, "agent:turn", "silent", { host: "claude", prompt: "Work.", new_turn: true }],
      [1, "agent:quiet", "silent", { no_news_since: since }],
    ]);
    const page = await opened(scene, "/");
    const row = page.getByRole("table", { name: "Agents" }).getByRole("row", { name: /silent/ });
    await row.getByText(/^no news since \d\d:\d\d$/).waitFor();
  });
});
