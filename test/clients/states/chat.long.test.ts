import { describe, expect, it } from "vitest";
import type { ServerReply } from "../../../src/know/prove/model/model-server.ts";
import { startInteractive } from "../support/interactive.ts";

const HOLDS = { on_prompt: { action: "answer", wait: "5m" } };
let calls = 0;

function bash(command: string): ServerReply {
  calls += 1;
  return { tool_calls: [{ id: `call_${calls}`, name: "Bash", input: { command } }] };
}

describe("the states of tenterhook run", () => {
  it("match a turn that ends by itself", async () => {
    const agent = await startInteractive("tenterhook");
    agent.answers((count) => (count === 1 ? bash("sleep 4") : { text: "All done." }));
    await agent.prompt();
    await agent.desk.shows("All done.");
    agent.timeline.is("is idle", "idle");
    await agent.waits(5);
    expect(agent.matches("chat: a turn").last).toMatchObject({ state: "idle", source: "hook" });
  });

  it.each([
    ["while a tool runs", bash("sleep 30")],
    ["before the model has said anything", { text: "", after: new Promise(() => undefined) }],
  ])("match Esc %s", async (when, reply) => {
    const agent = await startInteractive("tenterhook");
    agent.answers(reply);
    await agent.prompt();
    await agent.waits(5);
    agent.desk.presses("Escape");
    agent.timeline.is("was interrupted", "idle");
    await agent.waits(5);
    expect(agent.matches(`chat: Esc ${when}`).last).toMatchObject({ state: "idle", interrupted: true });
  });

  it("match a permission that is given at the terminal", async () => {
    const agent = await startInteractive("tenterhook", HOLDS);
    agent.answers((count) => (count === 1 ? bash("touch made") : bash("sleep 30")));
    await agent.prompt();
    await agent.desk.shows(/refuse and say why/);
    agent.timeline.is("asks", "prompting");
    await agent.waits(4);
    agent.desk.presses("y");
    agent.timeline.is("works", "working");
    await agent.waits(5);
    expect(agent.matches("chat: yes at a permission").last).toMatchObject({ state: "working" });
  });

  it.each([
    [401, "Incorrect API key provided.", "unauthorized"],
    [402, "You exceeded your current quota.", "out_of_credits"],
  ])("match an error: %i", async (status, message, error_type) => {
    const agent = await startInteractive("tenterhook");
    agent.answers({ error: { status, message } });
    await agent.prompt();
    agent.timeline.is("failed", "failed");
    await agent.waits(5);
    expect(agent.matches(`chat: ${status}`).last).toMatchObject({ state: "failed", error_type });
  });
});
