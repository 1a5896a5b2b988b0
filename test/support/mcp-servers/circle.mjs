// A server whose tool fires an event whose hook asks this very server. Arguments: the built package, a file to note starts in.
import { appendFileSync } from "node:fs";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const [, self = "", built = "", starts = ""] = process.argv;
appendFileSync(starts, `${process.pid}\n`);
const { createHooks } = await import(built);

const server = new Server({ name: "circle", version: "1.0.0" }, { capabilities: { tools: {} } });
server.setRequestHandler(CallToolRequestSchema, async () => {
  const hooks = createHooks();
  await hooks.add(
    { name: "inner", type: "mcp", server: "me", tool: "verdict", matcher: { events: ["PreToolUse"] } },
    { root: "/", mcp_servers: { me: { command: process.execPath, args: [self, built, starts] } } },
  );
  const { action, reason } = await hooks.fire({
    hook_event_name: "PreToolUse",
    session_id: "s",
    cwd: "/",
    tool_name: "Bash",
    tool_input: { command: "ls" },
  });
  await hooks.close();
  return { content: [{ type: "text", text: JSON.stringify({ action, reason }) }] };
});
await server.connect(new StdioServerTransport());
