import { describe, expect, it } from "vitest";
import type { ServerReply } from "../../../src/know/prove/model/model-server.ts";
import { startInteractive } from "../support/interactive.ts";

let calls = 0;

function shell(cmd: string): ServerReply {
  calls += 1;
  return { tool_calls: [{ id: `call_${calls}`, name: "exec_command", input: { cmd } }] };
}

const NEVER = new Promise(() => undefined);

describe("the states of Codex on a terminal", () => {
  it("match a turn that ends by itself", async () => {
    const agent = await startInteractive("codex");
    agent.answers((count) => (count === 1 ? shell("sleep 4") : { text: "All done." }));
    await agent.prompt();
    await agent.desk.shows("All done.");
    agent.timeline.is("is idle", "idle");
    await agent.waits(5);
    expect(agent.matches("Codex: a turn").last).toMatchObject({ state: "idle", source: "hook" });
  });

  it.each([
    ["while a tool runs", shell("sleep 30")],
    ["before the model has said anything", { text: "", after: NEVER }],
  ])("match Esc %s", async (when, reply) => {
    const agent = await startInteractive("codex");
    agent.answers(reply);
    await agent.prompt();
    await agent.waits(5);
    agent.desk.presses("Escape");
    agent.timeline.is("was interrupted", "idle");
    await agent.waits(8);
    expect(agent.matches(`Codex: Esc ${when}`).last).toMatchObject({ state: "idle", interrupted: true });
  });

  it.each([
    [429, "Rate limit reached.", "rate_limited"],
    [402, "You exceeded your current quota.", "out_of_credits"],
    [401, "Incorrect API key provided.", "unauthorized"],
  ])("match an error: %i", async (status, message, error_type) => {
    const agent = await startInteractive("codex");
    agent.answers({ error: { status, message } });
    await agent.prompt();
    agent.timeline.is("failed", "failed");
    await agent.waits(8);
    const { last } = agent.matches(`Codex: ${status}`);
    expect(last).toMatchObject({ state: "failed", error_type, source: "transcript" });
  });

  it("match /quit", async () => {
    const agent = await startInteractive("codex");
    agent.answers({ text: "All done." });
    await agent.prompt();
    await agent.desk.shows("All done.");
    agent.timeline.is("is idle", "idle");
    await agent.waits(3);
    agent.desk.types("/quit");
    await agent.waits(1);
    agent.desk.presses("Enter");
    agent.timeline.is("was quit", "exited");
    await agent.waits(8);
    expect(agent.matches("Codex: /quit").last).toMatchObject({ state: "exited" });
  });

  it("match a connection that is cut", async () => {
    const agent = await startInteractive("codex");
    agent.answers({ text: "This answer is cut off in its middle.", cut: true });
    await agent.prompt();
    agent.timeline.is("failed", "failed");
    await agent.waits(8);
    const { last } = agent.matches("Codex: a connection that is cut");
    expect(last).toMatchObject({ state: "failed", error_type: "no_internet" });
  });
});
