import { expect, it } from "vitest";
import { startInteractive } from "../support/interactive.ts";

it("the status line of Claude Code tells the monitor its window and cost, and looks as its user wants", async () => {
  const agent = await startInteractive("claude");
  const { project, desk } = agent;
  const statusLine = { type: "command", command: "cat > /dev/null; echo a line of my own" };
  project.write("../home/.claude/settings.json", JSON.stringify({ statusLine }));
  const installed = await project.run(["install", "claude", "--user", "--status-line"]);
  expect(installed).toMatchObject({ code: 0, stderr: "" });
  await agent.prompt();
  await desk.shows("a line of my own");
  const shown = await agent.shows({ said: expect.objectContaining({ context_tokens: expect.any(Number) }) });
  expect(shown.usage).toMatchObject({
    cost_usd: shown.said?.cost_usd,
    context_window: 1_000_000,
    context_tokens: expect.any(Number),
  });
  expect(shown.usage).not.toHaveProperty("context_inferred");
});
