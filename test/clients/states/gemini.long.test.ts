import { describe, expect, it } from "vitest";
import type { ServerReply } from "../../../src/know/prove/model/model-server.ts";
import { startInteractive } from "../support/interactive.ts";

let calls = 0;

function shell(command: string): ServerReply {
  calls += 1;
  const input = { command, description: "Work" };
  return { tool_calls: [{ id: `call_${calls}`, name: "run_shell_command", input }] };
}

describe("the states of Gemini CLI on a terminal", () => {
  it("match a turn that ends by itself", async () => {
    const agent = await startInteractive("gemini");
    agent.answers((count) => (count === 1 ? shell("sleep 4") : { text: "All done." }));
    await agent.prompt();
    await agent.desk.shows("All done.");
    agent.timeline.is("is idle", "idle");
    await agent.waits(5);
    expect(agent.matches("Gemini CLI: a turn").last).toMatchObject({ state: "idle", source: "hook" });
  });

  it("match Esc while a tool runs", async () => {
    const agent = await startInteractive("gemini");
    agent.answers(shell("sleep 30"));
    await agent.prompt();
    await agent.waits(6);
    agent.desk.presses("Escape");
    agent.timeline.is("was interrupted", "idle");
    await agent.waits(8);
    const { last } = agent.matches("Gemini CLI: Esc while a tool runs");
    expect(last).toMatchObject({ state: "idle" });
  });

  it("match Esc at a permission", async () => {
    const argv = ["-m", "gemini-2.5-flash", "--approval-mode", "default"];
    const agent = await startInteractive("gemini", { on_prompt: "escalate" }, argv);
    agent.answers(shell("touch made"));
    await agent.prompt();
    await agent.desk.shows(/Allow (?:execution|once)/);
    agent.timeline.is("asks", "prompting");
    await agent.waits(4);
    agent.desk.presses("Escape");
    agent.timeline.is("was interrupted", "idle");
    await agent.waits(8);
    expect(agent.matches("Gemini CLI: Esc at a permission").last).toMatchObject({ state: "idle" });
  });

  it("match an error: 401", async () => {
    const agent = await startInteractive("gemini");
    agent.answers({ error: { status: 401, message: "Request had invalid authentication credentials." } });
    await agent.prompt();
    agent.timeline.is("failed", "failed");
    await agent.waits(8);
    expect(agent.matches("Gemini CLI: 401").last).toMatchObject({
      state: "failed",
      error_type: "unauthorized",
    });
  });
});
