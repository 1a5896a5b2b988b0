import { describe, expect, it } from "vitest";
import { QUESTION, states, watchedProject } from "./support/watched-project.ts";

describe("tenterhook agents", () => {
  it("starts the daemon, and shows each agent's state as its hooks report it", async () => {
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
    expect(stdout).toMatch(/● failed +\d+ (?:s|min) +claude in project +rate limited/);
    expect(stdout).toMatch(/○ ended +\d+ (?:s|min) +claude in project \(s1\)/);
  });
});
