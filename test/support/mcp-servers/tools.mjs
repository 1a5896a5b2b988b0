import { spawn } from "node:child_process";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

/** @param {unknown} value */
const text = (value) => ({
  content: [{ type: "text", text: typeof value === "string" ? value : JSON.stringify(value) }],
});

/**
 * What the tools do, by name.
 *
 * @type {Record<string, (input: Record<string, unknown>) => unknown>}
 */
const TOOLS = {
  /** Answers the text it was given, as it is. */
  reply: ({ text: given }) => text(given),
  /** Answers its input. */
  echo: (input) => text(input),
  /** Answers its input as it is. */
  answer: (input) => input,
  structured: (input) => ({ content: [], structuredContent: input }),
  fail: ({ why }) => ({ ...text(why ?? "It did not work."), isError: true }),
  throws: () => {
    throw new Error("The tool threw.");
  },
  die: ({ say }) => {
    process.stderr.write(`${say ?? "I am dying."}\n`);
    process.exit(3);
  },
  slow: () => new Promise(() => undefined),
  /** Holds its thread for ever, as a loop does, and leaves the processor to others. */
  stuck: () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  },
  huge: ({ bytes }) => text("x".repeat(Number(bytes))),
  pid: () => text(String(process.pid)),
  /** Starts a process that stays, and answers its id. */
  child: () => {
    const { pid } = spawn("sleep", ["600"], { detached: true, stdio: "ignore" });
    return text(String(pid));
  },
  variables: () => text(Object.keys(process.env).sort().join(" ")),
  variable: ({ name }) => text(process.env[String(name)] ?? ""),
  where: () => text(process.cwd()),
  noise: () => {
    process.stdout.write("this is no message\n{}\n");
    return text("after noise");
  },
  blocks: () => ({
    content: [
      { type: "text", text: "one" },
      { type: "image", data: "aGVsbG8=", mimeType: "image/png" },
      { type: "resource", resource: { uri: "file:///a.txt", text: "two" } },
      { type: "resource_link", uri: "file:///b.txt", name: "b" },
    ],
  }),
  image: () => ({ content: [{ type: "image", data: "aGVsbG8=", mimeType: "image/png" }] }),
};

/** How a tool is listed beside its name. */
const HINTS = {
  echo: { annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false } },
  die: { annotations: { destructiveHint: true } },
};

/** A server with tools for every way an answer can go wrong. Lists three tools a page. */
export function toolServer() {
  const server = new Server({ name: "tools", version: "1.0.0" }, { capabilities: { tools: {} } });
  const names = Object.keys(TOOLS);
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    const start = Number(params?.cursor ?? 0);
    const next = start + 3;
    return {
      tools: names.slice(start, next).map((name) => ({
        name,
        description: `Does ${name}.`,
        inputSchema: { type: "object", properties: {} },
        ...(name === "echo" ? HINTS.echo : {}),
        ...(name === "die" ? HINTS.die : {}),
      })),
      ...(next < names.length ? { nextCursor: String(next) } : {}),
    };
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = TOOLS[params.name];
    if (tool === undefined) throw new Error(`Tool ${params.name} not found`);
    return Object(await tool(params.arguments ?? {}));
  });
  return server;
}
