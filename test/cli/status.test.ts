import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { appendToSpool } from "../../src/monitor/report/spool.ts";
import type { EventType } from "../../src/shared/monitor/events.ts";
import { projectDaemon } from "../monitor/support/test-daemon.ts";
import { eventually } from "../support/processes.ts";
import { newProject } from "./support/project.ts";
import { json, states, watchedProject } from "./support/watched-project.ts";

const GUARD = {
  name: "no-push",
  type: "inline",
  matcher: { events: ["PreToolUse"] },
  rules: 'command runs "git push" -> deny("Not from here.")',
};

describe("tenterhook agents", () => {
  it("says what to do when no agent was seen", async () => {
    const project = watchedProject({});
    await projectDaemon(project);
    const { stdout } = await project.run(["status"]);
    expect(stdout).toMatch(
      /^ {2}No agent has run yet\. tenterhook install, then start one; or: tenterhook run -- claude\n {2}Not guarded: this project [^\n]*\n {2}Each call starts its own process: TENTERHOOK_DAEMON=0 is set here\. Unset it\.\n$/,
    );
  });

  it("shows an agent that calls us, whatever the configuration says about the monitor", async () => {
    const project = newProject({ decidesHere: true });
    await projectDaemon(project);
    await project.configure([GUARD]);
    await project.run(["install", "claude"]);
    const { hooks } = JSON.parse(readFileSync(join(project.cwd, ".claude/settings.json"), "utf8"));
    for (const event of ["SessionStart", "UserPromptSubmit", "Stop"])
      expect(Object.keys(hooks)).toContain(event);
    await project.hook({ hook_event_name: "SessionStart", source: "startup" });
    expect(await states(project)).toEqual({ s1: "starting" });
    await project.hook({ hook_event_name: "UserPromptSubmit", prompt: "Go." });
    expect(await states(project)).toEqual({ s1: "working" });
  });

  it("prints once and ends with -w where no terminal is there to watch", async () => {
    const project = watchedProject({});
    await projectDaemon(project);
    const { code, stdout } = await project.run(["agents", "-w"]);
    expect([code, stdout.match(/No agent has run yet/g)?.length]).toEqual([0, 1]);
  });

  it("shows none where watch is false", async () => {
    const project = watchedProject({ watch: false });
    await projectDaemon(project);
    await project.hook({ hook_event_name: "UserPromptSubmit", prompt: "Go." });
    expect(await states(project)).toEqual({});
  });

  it("shows an agent whose process is there no more as gone, and dismisses what it asked", async () => {
    const project = watchedProject({ on_prompt: "escalate" });
    await projectDaemon(project);
    const report = (type: EventType, fields: object) =>
      appendToSpool({ type, agent_id: "w1", session_id: "s1", ...fields }, project.environment);
    report("agent:start", { agent_pid: 999_999_999 });
    report("agent:prompt", { prompt_type: "question", question: "Which?" });
    await eventually(async () => expect(await states(project)).toEqual({ w1: "gone" }));
    const { decisions } = await json(project, "inbox", "--all");
    expect(decisions).toEqual([expect.objectContaining({ state: "dismissed", agent_id: "w1" })]);
  });
});
