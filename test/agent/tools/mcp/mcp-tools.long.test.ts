import { describe, expect, it, onTestFinished } from "vitest";
import { type McpToolsOptions, mcpTools } from "../../../../src/agent/tools/mcp/mcp-tools.ts";
import type { McpServer } from "../../../../src/core/contracts/definition-site.ts";
import type { Tool, ToolContext } from "../../../../src/core/contracts/tool.ts";
import { program } from "../../../node/mcp/support.ts";
import { startHttpServer } from "../../../support/mcp-servers/http.ts";
import { isAlive } from "../../../support/processes.ts";

async function toolsOf(servers: Readonly<Record<string, McpServer>>, more: Partial<McpToolsOptions> = {}) {
  const signal = AbortSignal.timeout(60_000);
  const found = await mcpTools(servers, { cwd: process.cwd(), environment: process.env, signal, ...more });
  onTestFinished(() => found.close());
  return found;
}

const context: ToolContext = {
  session_id: "s",
  agent_id: "a",
  tool_use_id: "t",
  cwd: "/",
  workspace: ["/"],
  signal: AbortSignal.timeout(60_000),
  sandbox: "off",
  environment: {},
  progress: () => undefined,
  memory: new Map(),
  host: { mode: "default" },
};

function named(tools: readonly Tool[], name: string): Tool {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) throw new Error(`There is no ${name}.`);
  return tool;
}

describe("the tools of MCP servers", () => {
  it("fail with the server's last words when it dies, and are there again", async () => {
    const { tools } = await toolsOf({ box: program() });
    await expect(named(tools, "mcp__box__die").run({ say: "Bye." }, context)).rejects.toThrow(
      'The MCP server "box" ended (exit code 3): Bye.',
    );
    expect((await named(tools, "mcp__box__reply").run({ text: "on" }, context)).content).toBe("on");
  });

  it("of a server that says nothing are missing, with a warning, and the others are there", async () => {
    // It runs in this process, so it is there long before the time for connecting is over.
    const server = await startHttpServer();
    onTestFinished(() => server.close());
    const { tools, warnings } = await toolsOf(
      { mute: { command: "sleep", args: ["600"] }, web: { url: server.url } },
      { connect_seconds: 10 },
    );
    expect(warnings).toEqual(['The MCP server "mute" did not answer in time.']);
    expect(tools.length).toBeGreaterThan(0);
    expect(tools.every(({ name }) => name.startsWith("mcp__web__"))).toBe(true);
  });

  it("end with everything they started when they are closed", async () => {
    const { tools, close } = await toolsOf({ box: program() });
    const ask = async (tool: string) => Number((await named(tools, tool).run({}, context)).content);
    const pids = [await ask("mcp__box__pid"), await ask("mcp__box__child")];
    expect(pids.map(isAlive)).toEqual([true, true]);
    await close();
    expect(pids.map(isAlive)).toEqual([false, false]);
  });

  it("are not waited for by who does not want them any more", async () => {
    const abort = new AbortController();
    const starting = toolsOf({ mute: program("says nothing") }, { signal: abort.signal });
    abort.abort(new Error("enough"));
    await expect(starting).rejects.toThrow("enough");
  });
});
