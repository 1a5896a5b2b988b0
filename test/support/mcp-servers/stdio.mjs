// An MCP server on stdin and stdout. The first argument says how it behaves.
import { createInterface } from "node:readline";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { toolServer } from "./tools.mjs";

/** @type {Record<string, () => unknown>} */
const WAYS = {
  well: () => toolServer().connect(new StdioServerTransport()),
  "ends at once": () => {
    process.stderr.write("No licence found.\n");
    process.exit(4);
  },
  "says nothing": () => process.stdin.resume(),
  "ignores signals": () => {
    process.on("SIGTERM", () => undefined);
    process.stdin.on("end", () => setInterval(() => undefined, 1000));
    return toolServer().connect(new StdioServerTransport());
  },
  "answers wrongly": () => {
    createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method } = JSON.parse(line);
      if (id === undefined) return;
      const result =
        method === "initialize"
          ? {
              protocolVersion: "2025-06-18",
              capabilities: { tools: {} },
              serverInfo: { name: "x", version: "1" },
            }
          : { content: "not a list", tools: 7 };
      process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
    });
  },
};

WAYS[process.argv[2] ?? "well"]?.();
