import { join, relative, resolve } from "node:path";
import { type AgentOptions, defaultTools, type Tool } from "tenterhook/agent";
import { memoryStore } from "tenterhook/stores";
import { expect, it } from "vitest";
import { agentOf, echo, scratch, story } from "./support/agents.ts";

it("a folder that is named from where the process is becomes a whole path, for tools, hooks and the store", async () => {
  const other = scratch();
  const seen: unknown[] = [];
  const look: Tool = {
    ...echo,
    name: "Look",
    run: async (_, { cwd, workspace }) => {
      seen.push({ cwd, workspace });
      return { content: "seen" };
    },
  };
  const store = memoryStore();
  const { agent, hooks } = agentOf([{ tool_calls: [{ name: "Look", input: { text: "" } }] }], {
    cwd: ".",
    workspace: [relative(process.cwd(), other), "test/.."],
    tools: [look],
    store,
  });
  hooks.on("PreToolUse", ({ cwd }) => {
    seen.push(cwd);
  });
  await agent.run("go");
  const cwd = resolve(".");
  expect(seen).toEqual([cwd, { cwd, workspace: [cwd, other, cwd] }]);
  expect((await store.load(agent.agent_id))?.metadata.cwd).toBe(cwd);
});

it.each([".", "test/.."])("the rules of an agent in %j hold", async (cwd) => {
  const permissions: AgentOptions["permissions"] = { mode: "bypass", deny: ["Read(src/core.ts)"] };
  const calls = ["src/core.ts", join(process.cwd(), "src/core.ts"), "../package.json", "/etc/passwd"].map(
    (file_path) => ({
      tool_calls: [{ name: "Read", input: { file_path } }],
    }),
  );
  const { agent } = agentOf(calls, { cwd, permissions, tools: defaultTools() });
  await agent.run("go");
  expect(story(agent.transcript()).filter((line) => line.startsWith("tool"))).toEqual([
    "tool fails: Read is denied by Read(src/core.ts).",
    "tool fails: Read is denied by Read(src/core.ts).",
    expect.stringContaining(`leads to ${resolve("../package.json")}, which is outside the workspace`),
    expect.stringContaining("/etc/passwd is outside the workspace"),
  ]);
});
