import { describe, expect, it } from "vitest";
import { eventually } from "../../support/processes.ts";
import { openDecision, watched } from "../support/watched-agents.ts";

describe("an agent that is still running", () => {
  it("gets a human's message with its next turn", async () => {
    const monitor = watched({ on_error: "escalate" });
    monitor.report("agent:error", { error_type: "429", agent_pid: process.pid });
    await monitor.start();
    const { id } = await openDecision(monitor);
    await monitor.client.resolve(id, { choices: ["retry"], message: "Wait a minute, then try again." });
    await eventually(async () => expect((await monitor.status("worker"))?.pending).toBeUndefined());
    expect(monitor.notes()).toBe("");
    const { stdout } = await monitor.hook({ hook_event_name: "UserPromptSubmit", prompt: "And?" });
    expect(stdout).toContain("Wait a minute, then try again.");
  });
});
