import { expect, it } from "vitest";
import { eventually } from "../../support/processes.ts";
import { startInteractive } from "../support/interactive.ts";

const NUDGES = {
  on_idle: { action: "nudge", message: "Carry on with the tests.", grace: "5s", attempts: 1 },
};

it("the first nudge wakes Claude Code on its terminal, and its text comes once", async () => {
  const agent = await startInteractive("claude", NUDGES);
  const sent: string[] = [];
  agent.answers((count, body) => {
    sent.push(JSON.stringify(body.messages));
    return { text: `Said ${count}.` };
  });
  await agent.prompt();
  await agent.desk.shows("Said 1.");
  await agent.desk.shows("Said 2.");
  expect(sent.at(-1)).toContain("Carry on with the tests.");
  await eventually(() => expect(agent.timeline.last()?.state).toBe("idle"));
  expect(await agent.decisions("--all")).toEqual([]);
  await agent.prompt();
  await agent.desk.shows("Said 3.");
  expect(sent.at(-1)?.split("Carry on with the tests.")).toHaveLength(2);
});
