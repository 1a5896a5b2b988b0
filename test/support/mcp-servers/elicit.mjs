// An MCP server whose only tool asks the user for a word, in the words it is given, and returns what it was answered.
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const server = new Server({ name: "elicit", version: "1.0.0" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [
    {
      name: "ask",
      description: "Ask",
      inputSchema: { type: "object", properties: { message: { type: "string" } } },
    },
  ],
}));
server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
  const answer = await server.elicitInput({
    message: String(params.arguments?.message),
    requestedSchema: { type: "object", properties: { env: { type: "string" } }, required: ["env"] },
  });
  return { content: [{ type: "text", text: `GOT ${JSON.stringify(answer)}` }] };
});
await server.connect(new StdioServerTransport());
