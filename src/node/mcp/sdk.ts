import { importOptional, installHint } from "../optional-package.ts";
import { McpServerError } from "./mcp-error.ts";

/**
 * The parts of the MCP SDK that a client needs, loaded on first use: that takes a fifth of a second.
 *
 * @throws McpServerError `missing` when it is not installed.
 */
export async function loadSdk() {
  const [{ Client }, types, lines, { StreamableHTTPClientTransport }] = await Promise.all([
    importOptional("@modelcontextprotocol/sdk/client/index.js"),
    importOptional("@modelcontextprotocol/sdk/types.js"),
    importOptional("@modelcontextprotocol/sdk/shared/stdio.js"),
    importOptional("@modelcontextprotocol/sdk/client/streamableHttp.js"),
  ]).catch((cause: unknown) => {
    const hint = installHint("@modelcontextprotocol/sdk");
    throw new McpServerError("missing", `MCP servers can't be used. ${hint}.`, { cause });
  });
  return { Client, types, lines, StreamableHTTPClientTransport };
}

export type Sdk = Awaited<ReturnType<typeof loadSdk>>;
