import { onTestFinished } from "vitest";
import type { McpServer } from "../../../src/core/contracts/definition-site.ts";
import { McpClient } from "../../../src/node/mcp/mcp-client.ts";
import type { McpServerSite } from "../../../src/node/mcp/server-call.ts";
import { McpServerError } from "../../../src/node/mcp/server-transport.ts";
import { bundledProgram } from "../../support/bundled-program.ts";

/** The program of a real server that behaves in this way. */
export function program(way = "well", more: McpServer = {}): McpServer {
  const file = bundledProgram(new URL("../../support/mcp-servers/stdio.mjs", import.meta.url), {
    packages: "bundle",
  });
  return { command: process.execPath, args: [file, way], ...more };
}

/** A client of a server, closed when the test is over. */
export function clientOf(
  server: McpServer,
  more: Partial<McpServerSite> = {},
  connectMilliseconds = 15_000,
): McpClient {
  const client = new McpClient(
    { name: "box", server, root: process.cwd(), environment: process.env, ...more },
    connectMilliseconds,
  );
  onTestFinished(() => client.close());
  return client;
}

/** Options of a call with nothing special about it. */
export const options = {
  get signal(): AbortSignal {
    return AbortSignal.timeout(60_000);
  },
};

/** The text a tool answers. */
export async function textOf(client: McpClient, tool: string, input = {}): Promise<string> {
  const { content } = await client.callTool(tool, input, options);
  return content.map(({ text }) => String(text)).join("");
}

/** How something failed: the kind and message of the error. */
export async function failureOf(doing: Promise<unknown>): Promise<readonly [string, string]> {
  const error: unknown = await doing.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof McpServerError)) throw new Error(`No failure of a server: ${error}`);
  return [error.kind, error.message];
}
