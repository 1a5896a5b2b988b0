import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { columns } from "../../src/cli/command-line/screen/text.ts";
import { TenterhookError } from "../../src/core/base/errors.ts";
import { appendToSpool } from "../../src/monitor/report/spool.ts";
import { sqliteMonitor } from "../../src/monitor/store/sqlite-monitor.ts";
import { projectDaemon } from "../monitor/support/test-daemon.ts";
import { eventually } from "../support/processes.ts";
import type { Project } from "./support/project.ts";
import { CLI } from "./support/run-cli.ts";
import { json, QUESTION, states, watchedProject } from "./support/watched-project.ts";

/** What a terminal shows of `status --watch`, and how that ends. Each step waits for a text and types another one. */
async function watchedStatus(project: Project, ...steps: readonly (readonly string[])[]) {
  return watchedOn("cols 80 rows 12", project, steps);
}

async function watchedOn(size: string, { cwd, environment }: Project, steps: readonly (readonly string[])[]) {
  const line = `stty ${size}; exec "$0" "$@"`;
  const program = ["sh", "-c", line, process.execPath, CLI, "status", "--watch"];
  const child = spawn("python3", [TERMINAL, JSON.stringify(steps), ...program], { cwd, env: environment });
  const [shown, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  return { shown, code };
}

const TERMINAL = fileURLToPath(new URL("support/in-terminal.py", import.meta.url));

describe("tenterhook status", () => {
  it("starts the daemon, and shows each agent's state as its hooks report it", {
    timeout: 90_000,
  }, async () => {
    const project = watchedProject({ on_prompt: "escalate" });
    expect(await states(project)).toEqual({});
    await project.hook({ hook_event_name: "SessionStart", source: "startup" });
    expect(await states(project)).toEqual({ s1: "starting" });
    await project.hook({ hook_event_name: "UserPromptSubmit", prompt: "Paint it." });
    expect(await states(project)).toEqual({ s1: "working" });
    await project.hook(QUESTION);
    await project.hook({ hook_event_name: "UserPromptSubmit", session_id: "s2", prompt: "Go." });
    expect(await states(project)).toEqual({ s1: "prompting", s2: "working" });
    await project.hook({ ...QUESTION, hook_event_name: "PostToolUse", tool_response: {} });
    expect(await states(project)).toEqual({ s1: "working", s2: "working" });
    await project.hook({ hook_event_name: "Stop", stop_hook_active: false });
    await project.hook({ hook_event_name: "StopFailure", session_id: "s2", error: "rate_limit" });
    expect(await states(project)).toEqual({ s1: "idle", s2: "failed" });
    await project.hook({ hook_event_name: "SessionEnd", reason: "exit" });
    const { stdout } = await project.start(["status"]);
    expect(stdout).toMatch(/^ {2}1 failed · 1 ended\n/);
    expect(stdout).toMatch(/● failed +\d+ s +claude in project \(s2\) +rate limited/);
    expect(stdout).toMatch(/○ ended +\d+ s +claude in project \(s1\)/);
  });

  it("fits on a narrow and low screen, with those that need somebody", async () => {
    const project = watchedProject({ on_prompt: "escalate" });
    await projectDaemon(project);
    const report = (type: string, agent_id: string, more: object) =>
      appendToSpool({ type, agent_id, host: "claude", cwd: project.cwd, ...more }, project.environment);
    for (let count = 10; count < 40; count += 1) report("agent:turn", `worker-${count}`, {});
    const tool_input = { command: "npm publish --tag 漢字 && echo published to everybody" };
    report("agent:prompt", "日本語エージェント", {
      prompt_type: "permission",
      question: { tool_name: "Bash", tool_input },
    });
    await json(project, "status");
    const { shown } = await watchedStatus(project, ["decisions lists", "\u0003"]);
    const rows = shown.split("\n").map((row) => stripVTControlCharacters(row).replace("^C", "").trimEnd());
    expect(rows.slice(0, 12)).toEqual([
      "  1 wait · 30 work",
      "",
      expect.stringMatching(/^ {2}● waits +\d+ s {2}日本語エージェント {2}Bash: npm publish.*…$/),
      ...new Array(6).fill(expect.stringMatching(/^ {2}● works +\d+ s {2}worker-\d\d/)),
      "  … and 24 more agents",
      "",
      "  tenterhook decisions lists what they ask.",
    ]);
    expect(Math.max(...rows.slice(0, 12).map((row) => columns(row)))).toBeLessThanOrEqual(80);
  });

  it("lists agents on a terminal that does not say how large it is", async () => {
    const project = watchedProject({});
    await projectDaemon(project);
    for (const agent_id of ["w1", "w2"]) appendToSpool({ type: "agent:turn", agent_id }, project.environment);
    const { shown } = await watchedOn("cols 0 rows 0", project, [["2 work", "\u0003"]]);
    const rows = stripVTControlCharacters(shown).split("\n");
    expect(rows.slice(2, 4)).toEqual([expect.stringMatching(/ w1\b/), expect.stringMatching(/ w2\b/)]);
  });

  it.each(["\u0003", "SIGTERM"])(
    "watches on a screen of its own and gives the terminal back after %j",
    async (end) => {
      const project = watchedProject({});
      await projectDaemon(project);
      appendToSpool({ type: "agent:turn", agent_id: "w1" }, project.environment);
      const { shown, code } = await watchedStatus(project, ["1 work", end]);
      const [before, after] = ["\u001b[?1049h\u001b[?25l", "\u001b[?25h\u001b[?1049l"];
      expect([shown.slice(0, before.length), shown.slice(-after.length)]).toEqual([before, after]);
      expect(shown).toContain("w1");
      expect(code).toBe(end === "SIGTERM" ? 143 : 130);
    },
  );

  it("goes on watching when the daemon is started again", async () => {
    const project = watchedProject({});
    const daemon = await projectDaemon(project);
    appendToSpool({ type: "agent:turn", agent_id: "w1" }, project.environment);
    const [begun, lost] = ["begun", "lost"].map((name) => join(project.folder, name));
    const watching = watchedStatus(
      project,
      ["w1", `touch ${begun}`],
      ["tenterhook monitor start starts the monitor.", `touch ${lost}`],
      ["w2", "\u0003"],
    );
    await eventually(() => expect(existsSync(String(begun))).toBe(true), 30_000);
    await daemon.close();
    await eventually(() => expect(existsSync(String(lost))).toBe(true), 30_000);
    appendToSpool({ type: "agent:turn", agent_id: "w2" }, project.environment);
    await projectDaemon(project);
    expect((await watching).code).toBe(130);
  });

  it("says while it watches when what hooks report can't be stored", { timeout: 60_000 }, async () => {
    const project = watchedProject({});
    let isFull = false;
    await projectDaemon(project, {
      openStore: async (file) => {
        const store = await sqliteMonitor(file);
        const full = async () => Promise.reject(new TenterhookError("store_failed", "The disk is full."));
        return { ...store, update: (work) => (isFull ? full() : store.update(work)) };
      },
    });
    appendToSpool({ type: "agent:turn", agent_id: "w1" }, project.environment);
    await json(project, "status");
    isFull = true;
    appendToSpool({ type: "agent:turn", agent_id: "w2" }, project.environment);
    const { shown, code } = await watchedStatus(project, ["The disk is full.", "\u0003"]);
    expect(stripVTControlCharacters(shown)).toContain("What hooks report can't be stored");
    expect(code).toBe(130);
  });

  it("says what to do when no agent was seen", async () => {
    const project = watchedProject({});
    await projectDaemon(project);
    const { stdout } = await project.run(["status"]);
    expect(stdout).toMatch(
      /^ {2}No agent was seen\. Agents report here when your configuration has a monitor section\.\n {2}The daemon decides calls of hooks: process \d+, [^\n]*\n$/,
    );
  });

  it("reports nothing when no monitor is configured", async () => {
    const project = watchedProject({});
    await projectDaemon(project);
    await project.hook({ hook_event_name: "UserPromptSubmit", prompt: "Go." });
    expect(await states(project)).toEqual({});
  });

  it("shows an agent whose process was killed as gone, and dismisses what it asked", async () => {
    const project = watchedProject({ on_prompt: "escalate" });
    await projectDaemon(project);
    const agent = spawn("sleep", ["300"]);
    onTestFinished(() => void agent.kill("SIGKILL"));
    const report = (type: string, fields: object) =>
      appendToSpool({ type, agent_id: "w1", session_id: "s1", ...fields }, project.environment);
    report("agent:start", { agent_pid: agent.pid });
    report("agent:prompt", { prompt_type: "question", question: "Which?" });
    expect(await states(project)).toEqual({ w1: "prompting" });
    agent.kill("SIGKILL");
    await eventually(async () => expect(await states(project)).toEqual({ w1: "gone" }));
    const { decisions } = await json(project, "decisions", "list", "--all");
    expect(decisions).toEqual([expect.objectContaining({ state: "dismissed", agent_id: "w1" })]);
  });
});
