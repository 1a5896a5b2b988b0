import { describe, expect, it } from "vitest";
import type { ServerReply } from "../../../src/know/prove/model/model-server.ts";
import { startInteractive } from "../support/interactive.ts";

const HOLDS = { on_prompt: { action: "answer", wait: "5m" } };
let calls = 0;

function bash(command: string, more: object = {}): ServerReply {
  calls += 1;
  const input = { command, description: "Work", ...more };
  return { text: "I do it.", tool_calls: [{ id: `toolu_${calls}`, name: "Bash", input }] };
}

const WORKS = "sh -c 'sleep 30'";

describe("the states of Claude Code on a terminal", () => {
  it("match a turn that ends by itself", async () => {
    const agent = await startInteractive("claude");
    agent.answers((count) => (count === 1 ? bash("sh -c 'sleep 4'") : { text: "All done." }));
    await agent.prompt();
    await agent.desk.shows("All done.");
    agent.timeline.is("is idle", "idle");
    await agent.waits(5);
    expect(agent.matches("Claude Code: a turn").last).toMatchObject({ state: "idle", source: "hook" });
  });

  it("match Esc while a tool runs", async () => {
    const agent = await startInteractive("claude");
    agent.answers(bash(WORKS));
    await agent.prompt();
    await agent.waits(5);
    agent.desk.presses("Escape");
    agent.timeline.is("was interrupted", "idle");
    await agent.waits(8);
    const { last } = agent.matches("Claude Code: Esc while a tool runs");
    expect(last).toMatchObject({ state: "idle", interrupted: true, source: "transcript" });
  });

  it("match Esc at a permission that a hook holds", async () => {
    const agent = await startInteractive("claude", HOLDS);
    agent.answers(bash("touch made"));
    await agent.prompt();
    await agent.desk.shows(/Do you want to proceed/);
    agent.timeline.is("asks", "prompting");
    await agent.waits(4);
    agent.desk.presses("Escape");
    agent.timeline.is("was interrupted", "idle");
    await agent.waits(8);
    expect(agent.matches("Claude Code: Esc at a held permission").last).toMatchObject({ state: "idle" });
  });

  it("match a permission that is given at the terminal while a hook holds it", async () => {
    const agent = await startInteractive("claude", HOLDS);
    agent.answers((count) => (count === 1 ? bash("touch made") : bash(WORKS)));
    await agent.prompt();
    await agent.desk.shows(/Do you want to proceed/);
    agent.timeline.is("asks", "prompting");
    await agent.waits(4);
    agent.desk.presses("Enter");
    agent.timeline.is("works", "working");
    await agent.waits(8);
    expect(agent.matches("Claude Code: yes at a held permission").last).toMatchObject({ state: "working" });
  });

  it.each([
    [429, "This request would exceed your rate limit. Add a payment method.", "rate_limited"],
    [401, "invalid x-api-key", "unauthorized"],
    [402, "Your credit balance is too low to access the Anthropic API.", "out_of_credits"],
  ])("match an error: %i", async (status, message, error_type) => {
    const agent = await startInteractive("claude");
    agent.answers({ error: { status, message } });
    await agent.prompt();
    agent.timeline.is("failed", "failed");
    await agent.waits(8);
    expect(agent.matches(`Claude Code: ${status}`).last).toMatchObject({ state: "failed", error_type });
  });

  it("match a connection that is cut", async () => {
    const agent = await startInteractive("claude");
    agent.answers({ text: "This answer is cut off in its middle.", cut: true });
    await agent.prompt();
    agent.timeline.is("failed", "failed");
    await agent.waits(8);
    expect(agent.matches("Claude Code: a connection that is cut").last).toMatchObject({ state: "failed" });
  });

  it("match a command that runs on after the turn", async () => {
    const agent = await startInteractive("claude");
    agent.answers((count) =>
      count === 1 ? bash("sh -c 'sleep 8'", { run_in_background: true }) : { text: `Said ${count}.` },
    );
    await agent.prompt();
    await agent.desk.shows("Said 3.");
    agent.timeline.is("is idle", "idle");
    await agent.waits(5);
    expect(agent.matches("Claude Code: a command in the background").last).toMatchObject({ state: "idle" });
  });
});
