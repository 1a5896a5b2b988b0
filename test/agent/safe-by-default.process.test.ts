import { existsSync } from "node:fs";
import { join } from "node:path";
import { allow, createHooks } from "tenterhook";
import { Agent, type AgentItem, type AgentOptions, scriptedModel } from "tenterhook/agent";
import { memoryStore } from "tenterhook/stores";
import { expect, it, onTestFinished } from "vitest";
import { scratch, story } from "./support/agents.ts";

const write = { tool_calls: [{ name: "Write", input: { file_path: "a.txt", content: "a" } }] };

function made(options: Partial<AgentOptions> = {}) {
  const cwd = scratch();
  const agent = new Agent({ model: scriptedModel([write, { text: "Done." }]), cwd, ...options });
  onTestFinished(() => agent.close());
  return { agent, wrote: () => existsSync(join(cwd, "a.txt")) };
}

it("a new agent asks before it writes, and without anybody to ask it does not", async () => {
  const { agent, wrote } = made();
  const items: AgentItem[] = [];
  await agent.run("Go.", { onItem: (item) => items.push(item) });
  expect(wrote()).toBe(false);
  expect(story(agent.transcript())[2]).toMatch(/^tool fails: Write needs the approval of a human/);
  expect(items.filter(({ type }) => type === "notice")).toEqual([
    {
      type: "notice",
      level: "warning",
      text: 'Write was refused because nobody can be asked. Allow it with a rule under permissions, or with mode "accept-edits" (edits of the workspace) or "bypass" (everything); in a program, approval or suspend asks a human.',
    },
  ]);
});

it.each([
  ["Bash", { command: "touch a.txt" }],
  ["Edit", { file_path: "a.txt", old_string: "b", new_string: "a" }],
  ["WebFetch", { url: "https://example.com/" }],
])("it asks before %s", async (name, input) => {
  const asked: unknown[] = [];
  const { agent } = made({
    model: scriptedModel([{ tool_calls: [{ name, input }] }]),
    approval: ({ tool_name }) => {
      asked.push(tool_name);
      return false;
    },
  });
  await agent.run("Go.");
  expect(asked).toEqual([name]);
});

it("it asks before it runs a tool of your own that does not say that it only reads", async () => {
  let ran = false;
  const mine = {
    name: "Mine",
    description: "",
    input_schema: { type: "object" },
    run: async () => {
      ran = true;
      return { content: "" };
    },
  };
  const { agent } = made({
    tools: [mine],
    model: scriptedModel([{ tool_calls: [{ name: "Mine", input: {} }] }]),
  });
  await agent.run("Go.");
  expect(ran).toBe(false);
});

it("it reads without asking", async () => {
  const { agent } = made({
    model: scriptedModel([{ tool_calls: [{ name: "Glob", input: { pattern: "*" } }] }]),
  });
  await agent.run("Go.");
  expect(story(agent.transcript())[2]).toMatch(/^tool answers/);
});

it.each<[string, Partial<AgentOptions>]>([
  ["a mode", { mode: "accept-edits" }],
  ["permissions", { permissions: { allow: ["Edit"] } }],
  ["a person", { approval: () => true }],
])("one line opens it: %s", async (_, options) => {
  const { agent, wrote } = made(options);
  await agent.run("Go.");
  expect(wrote()).toBe(true);
});

it("so does the allow of a hook", async () => {
  const hooks = createHooks();
  hooks.on("PreToolUse", { tools: ["Write"] }, () => allow());
  const { agent, wrote } = made({ hooks });
  await agent.run("Go.");
  expect(wrote()).toBe(true);
});

it("a resumed agent asks too", async () => {
  const store = memoryStore();
  const { agent } = made({ store, model: scriptedModel([{ text: "Hi." }]) });
  await agent.run("Go.");
  await agent.close();
  const cwd = scratch();
  const again = await Agent.resume(agent.agent_id, { model: scriptedModel([write]), store, cwd });
  onTestFinished(() => again.close());
  await again.run("Go on.");
  expect(existsSync(join(cwd, "a.txt"))).toBe(false);
});
