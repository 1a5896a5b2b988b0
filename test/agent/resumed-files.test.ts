import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Agent, defaultTools, scriptedModel } from "tenterhook/agent";
import { memoryStore } from "tenterhook/stores";
import { expect, it, vi } from "vitest";
import { agentOf, scratch, story } from "./support/agents.ts";

const edit = (old_string: string, new_string: string) => ({
  tool_calls: [{ name: "Edit", input: { file_path: "a.txt", old_string, new_string } }],
});
const read = { tool_calls: [{ name: "Read", input: { file_path: "a.txt" } }] };
const tools = defaultTools();

/** An agent that has worked on a file, and the one that goes on with its conversation. */
async function resumedAfter(steps: Parameters<typeof agentOf>[0], then: (file: string) => Promise<void>) {
  const cwd = scratch();
  const file = join(cwd, "a.txt");
  writeFileSync(file, "hello world\n");
  await aMoment();
  const store = memoryStore();
  const { agent } = agentOf(steps, { cwd, store, tools });
  await agent.run("Look.");
  await agent.close();
  await then(file);
  const resume = async (next: Parameters<typeof scriptedModel>[0]) => {
    const options = { model: scriptedModel(next), cwd, store, tools };
    const resumed = await Agent.resume(agent.agent_id, options);
    await resumed.run("Change it.");
    await resumed.close();
    return story(resumed.transcript()).filter((line) => /^tool/.test(line));
  };
  return { file, resume };
}

/** Until the clock of files shows another time. */
async function aMoment(): Promise<void> {
  const now = Date.now();
  await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(now + 30), 5000);
}

it("refuses to change a file that changed since it was read, though that was before a resume", async () => {
  const { file, resume } = await resumedAfter([read, { text: "Seen." }], async (path) => {
    await aMoment();
    writeFileSync(path, "hello, changed by another\n");
  });
  const results = await resume([edit("hello", "bye"), read, edit("hello", "bye"), { text: "Done." }]);
  expect(results[1]).toBe(
    "tool fails: a.txt changed since it was read. Read it again, then repeat the change.",
  );
  expect(results[3]).toBe("tool answers: Replaced in a.txt at line 1.");
  expect(readFileSync(file, "utf8")).toBe("bye, changed by another\n");
});

it("changes a file that is as it was read, or as the agent itself has left it", async () => {
  const { resume } = await resumedAfter([read, edit("hello", "bye"), { text: "Done." }], async () => {});
  expect((await resume([edit("bye", "hello"), { text: "Done." }])).at(-1)).toBe(
    "tool answers: Replaced in a.txt at line 1.",
  );
});

it("changes a file that it has never read", async () => {
  const { resume } = await resumedAfter([{ text: "Hm." }], async () => {});
  expect((await resume([edit("hello", "bye"), { text: "Done." }])).at(-1)).toBe(
    "tool answers: Replaced in a.txt at line 1.",
  );
});
