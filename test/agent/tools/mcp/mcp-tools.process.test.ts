import { describe, expect, it, onTestFinished } from "vitest";
import { annotationsOf, mcpToolName } from "../../../../src/agent/tools/mcp/mcp-tool.ts";
import { type McpToolsOptions, mcpTools } from "../../../../src/agent/tools/mcp/mcp-tools.ts";
import type { McpServer } from "../../../../src/core/contracts/definition-site.ts";
import type { Tool, ToolContext } from "../../../../src/core/contracts/tool.ts";
import { program } from "../../../node/mcp/support.ts";
import { startHttpServer } from "../../../support/mcp-servers/http.ts";

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
  it("need nothing but the servers, and end with their block", async () => {
    const found = await mcpTools({ box: program() });
    const echo = named(found.tools, "mcp__box__echo");
    expect(await echo.run({ a: 1 }, context)).toEqual({ content: '{"a":1}' });
    await found[Symbol.asyncDispose]();
    expect(found[Symbol.asyncDispose]).toBe(found.close);
  });

  it("come from programs and addresses, with their schema, and answer", async () => {
    const server = await startHttpServer();
    onTestFinished(() => server.close());
    const { tools, warnings } = await toolsOf({ "my box": program(), web: { url: server.url } });
    expect(warnings).toEqual([]);
    const { run, ...echo } = named(tools, "mcp__my_box__echo");
    expect(echo).toEqual({
      name: "mcp__my_box__echo",
      description: "Does echo.",
      input_schema: { type: "object", properties: {} },
      annotations: { read_only: false, destructive: true, idempotent: false, open_world: true },
    });
    expect(await run({ a: [1] }, context)).toEqual({ content: '{"a":[1]}' });
    expect(await named(tools, "mcp__web__reply").run({ text: "hi" }, context)).toEqual({ content: "hi" });
    expect(await named(tools, "mcp__web__fail").run({}, context)).toEqual({
      content: "It did not work.",
      is_error: true,
    });
    expect(await named(tools, "mcp__web__structured").run({ a: 1 }, context)).toEqual({
      content: '{"a":1}',
      data: { a: 1 },
    });
  });

  it("answer with images, audio and files, and with links as text", async () => {
    const { tools } = await toolsOf({ box: program() });
    expect(await named(tools, "mcp__box__blocks").run({}, context)).toEqual({
      content: [
        { type: "text", text: "one" },
        { type: "file", media_type: "image/png", data: "aGVsbG8=" },
        { type: "text", text: "two" },
        { type: "text", text: "[link to b: file:///b.txt]" },
      ],
    });
    const answer = (content: readonly unknown[]) =>
      named(tools, "mcp__box__answer").run({ content }, context);
    expect(
      await answer([
        { type: "audio", data: "aGVsbG8=", mimeType: "audio/wav" },
        {
          type: "resource",
          resource: { uri: "file:///r/a%20b.pdf", mimeType: "application/pdf", blob: "aGk=" },
        },
      ]),
    ).toEqual({
      content: [
        { type: "file", media_type: "audio/wav", data: "aGVsbG8=" },
        { type: "file", media_type: "application/pdf", filename: "a b.pdf", data: "aGk=" },
      ],
    });
  });

  it("say what they leave out when data can't be read", async () => {
    const { tools } = await toolsOf({ box: program() });
    const blob = { uri: "file:///r/a.bin", mimeType: "not a type", blob: "aGk=" };
    expect(
      await named(tools, "mcp__box__answer").run(
        { content: [{ type: "resource", resource: blob }] },
        context,
      ),
    ).toEqual({ content: "[resource file:///r/a.bin not a type of 2 bytes left out]" });
  });

  it("are bounded in what they answer and in how long they take", async () => {
    const { tools } = await toolsOf({ box: program() }, { call_seconds: 10 });
    const huge = await named(tools, "mcp__box__huge").run({ bytes: 100_050 }, context);
    expect(String(huge.content).length).toBeLessThan(100_100);
    expect(huge.content).toMatch(/x\n\[… 50 more characters left out …\]$/);
    await expect(named(tools, "mcp__box__slow").run({}, context)).rejects.toThrow("did not answer in time");
    expect((await named(tools, "mcp__box__reply").run({ text: "on" }, context)).content).toBe("on");
  });

  it("of a server that does not start are missing, with a warning, and the others are there", async () => {
    const { tools, warnings } = await toolsOf({
      gone: { command: "no-such-server" },
      broken: program("ends at once"),
      box: program(),
    });
    expect(warnings).toEqual([
      'The MCP server "gone" can\'t be started: There is no program "no-such-server" on the PATH.',
      'The MCP server "broken" ended (exit code 4): No licence found.',
    ]);
    expect(tools.length).toBeGreaterThan(0);
    expect(tools.every(({ name }) => name.startsWith("mcp__box__"))).toBe(true);
  });

  it("tools of MCP servers with the same name are one", async () => {
    const { tools, warnings } = await toolsOf({ "a b": program(), "a.b": program() });
    expect(tools.filter(({ name }) => name === "mcp__a_b__pid")).toHaveLength(1);
    expect(warnings).toContain(
      "Two tools of MCP servers would be called mcp__a_b__pid; the second is left out.",
    );
  });
});

describe("the name of a tool", () => {
  it.each([
    ["docs", "search", "mcp__docs__search"],
    ["my docs", "find.it", "mcp__my_docs__find_it"],
    ["a__b", "c", "mcp__a_b__c"],
    ["_a_", "__c", "mcp__a____c"],
    ["s".repeat(60), "find", "mcp__sssssssssssssssssssssss-b577fa89__find"],
  ])("of %s and %s is %s", (server, tool, name) => {
    expect(mcpToolName(server, tool)).toBe(name);
  });

  it("is never too long, and two long ones differ", () => {
    const one = mcpToolName("server", `${"x".repeat(100)}1`);
    const two = mcpToolName("server", `${"x".repeat(100)}2`);
    expect([one.length, two.length]).toEqual([64, 64]);
    expect(one).not.toBe(two);
  });
});

describe("what a server says of its tools", () => {
  const harmless = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

  it("is not believed where it would make us less careful", () => {
    const careful = { read_only: false, destructive: true, idempotent: false, open_world: true };
    for (const hints of [{}, harmless, { destructiveHint: true }])
      expect(annotationsOf(hints, false)).toEqual(careful);
  });

  it("is believed of a trusted server", () => {
    expect(annotationsOf(harmless, true)).toEqual({
      read_only: true,
      destructive: false,
      idempotent: true,
      open_world: false,
    });
    expect(annotationsOf({ readOnlyHint: "yes" }, true).read_only).toBe(false);
    expect(annotationsOf({ ...harmless, destructiveHint: true }, true)).toMatchObject({
      read_only: false,
      destructive: true,
    });
  });
});
