import { expect, it } from "vitest";
import { integrationOf } from "../../src/adapters/integrations.ts";
import { samplePayloads } from "../../src/cli/commands/integrations/import/samples.ts";

/** The payloads on which `import --check` tries an agent's hook. */
async function payloadsFor(
  agent: "claude" | "copilot" | "cursor" | "gemini",
  event: string,
  matcher?: string,
) {
  const integration = await integrationOf(agent);
  const { importing } = integration;
  if (importing === undefined) throw new Error(`${agent} has no hooks to import.`);
  const handler = { type: "command", command: "true" };
  const hooks = ["cursor", "copilot"].includes(agent)
    ? { [event]: [{ ...handler, ...(matcher === undefined ? {} : { matcher }) }] }
    : { [event]: [{ ...(matcher === undefined ? {} : { matcher }), hooks: [handler] }] };
  const [hook] = importing.importHooks({ hooks, scriptsOf: () => [] }).hooks;
  if (hook === undefined) throw new Error("There is no hook.");
  return samplePayloads({ ...integration, importing }, hook, "/app");
}

it("a hook is tried on calls of the tools that its matcher names, as its agent sends them", async () => {
  const calls = await payloadsFor("gemini", "BeforeTool", "write_file|mcp_github_.*");
  expect(calls.map(({ hook_event_name, tool_name }) => [hook_event_name, tool_name])).toEqual([
    ["BeforeTool", "write_file"],
    ["BeforeTool", "write_file"],
    ["BeforeTool", "mcp_github_tool"],
  ]);
  expect((await payloadsFor("claude", "PreToolUse", "mcp__memory__.*"))[0]).toMatchObject({
    tool_name: "mcp__memory__tool",
  });
});

it("a hook is tried on the values that its matcher names", async () => {
  const files = await payloadsFor("claude", "FileChanged", ".env|package.json");
  expect(files.map(({ file_path }) => file_path)).toEqual([".env", "package.json"]);
});

it("a hook on an event that only its agent has is tried on payloads of that event", async () => {
  const [first] = await payloadsFor("cursor", "beforeMCPExecution");
  expect(first).toMatchObject({ hook_event_name: "beforeMCPExecution", mcp_server_name: "voice" });
});

it("a hook of GitHub Copilot CLI is tried on payloads in the spelling of its event", async () => {
  const [small] = await payloadsFor("copilot", "preToolUse");
  expect(small).toMatchObject({ toolName: "bash", toolArgs: { command: "ls -la" } });
  expect(small).not.toHaveProperty("hook_event_name");
  const [asked] = await payloadsFor("copilot", "permissionRequest");
  expect(asked).toMatchObject({ hookName: "permissionRequest", toolInput: { command: "ls -la" } });
});
