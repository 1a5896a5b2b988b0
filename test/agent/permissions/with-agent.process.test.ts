import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Agent, type ApprovalRequest, defaultTools, mcpTools, scriptedModel } from "../../../src/agent.ts";
import { program } from "../../node/mcp/support.ts";

it("an agent keeps to its permissions, with its own tools and those of a server", async () => {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), "with-agent-")));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  writeFileSync(join(cwd, "secret.txt"), "needle\n");
  writeFileSync(join(cwd, "open.txt"), "needle\n");
  const servers = await mcpTools(
    { box: program() },
    { cwd, environment: process.env, signal: AbortSignal.timeout(60_000) },
  );
  onTestFinished(() => servers.close());
  const calls: readonly [string, Record<string, unknown>][] = [
    ["mcp__box__reply", { text: "from the server" }],
    ["mcp__box__die", {}],
    ["Read", { file_path: "secret.txt" }],
    ["Bash", { command: "cat ./secret.txt" }],
    ["Grep", { pattern: "needle" }],
    ["Bash", { command: "echo hi" }],
    ["Bash", { command: "echo hi", description: "again" }],
    ["Bash", { command: "echo hi; echo ho" }],
  ];
  const asked: ApprovalRequest[] = [];
  const agent = new Agent({
    model: scriptedModel(calls.map(([name, input]) => ({ tool_calls: [{ name, input }] }))),
    tools: [...defaultTools(), ...servers.tools],
    cwd,
    permissions: { deny: ["Read(secret.txt)", "mcp__box__die"], allow: ["mcp__box__reply"] },
    approval: (request) => {
      asked.push(request);
      return asked.length === 1
        ? { allow: true, for: "session" }
        : { allow: false, feedback: "Not that one." };
    },
  });
  const results: string[] = [];
  await agent.run("go", {
    onItem: (item) => {
      if (item.type === "tool_result") results.push(item.content.trim());
    },
  });
  await agent.close();
  expect(results).toEqual([
    "from the server",
    "mcp__box__die is denied by mcp__box__die.",
    "Read is denied by Read(secret.txt).",
    "Bash is denied by Read(secret.txt).",
    "open.txt",
    "hi",
    "hi",
    "The user refused this call: Not that one.",
  ]);
  expect(asked.map(({ tool_input }) => tool_input?.command)).toEqual(["echo hi", "echo hi; echo ho"]);
});
