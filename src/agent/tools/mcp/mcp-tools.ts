/// <reference lib="esnext.disposable" preserve="true" />
import { errorMessage } from "../../../core/base/error-text.ts";
import type { McpServer } from "../../../core/contracts/definition-site.ts";
import type { Tool } from "../../../core/contracts/tool.ts";
import { McpClient } from "../../../node/mcp/mcp-client.ts";
import { mcpTool } from "./mcp-tool.ts";

/** Options of {@link mcpTools}. */
export interface McpToolsOptions {
  /** The folder in which programs start when they do not say. Default: that of this process. */
  readonly cwd?: string | undefined;
  /** The variables that programs get, without those that look like secrets. Default: those of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Cancels the start: all servers are ended, and `mcpTools` throws its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Servers whose hints are believed: their read-only tools run without asking. Default: none. */
  readonly trusted?: readonly string[] | undefined;
  /** How long a server has to start and list its tools. Default 30. */
  readonly connect_seconds?: number | undefined;
  /** The timeout of a call. Default 60. */
  readonly call_seconds?: number | undefined;
}

/** The tools of MCP servers. */
export interface McpTools extends AsyncDisposable {
  readonly tools: readonly Tool[];
  /** Servers and tools that are not available, as sentences for the user. */
  readonly warnings: readonly string[];
  /** Ends the servers, with everything they started, after the running calls. Never rejects. `await using` calls it. */
  close(): Promise<void>;
}

/**
 * Starts servers in parallel and returns their tools, named `mcp__server__tool`. A server that does not start or reply
 * becomes a warning and is ended; the others still work. One that dies later is restarted by the next call.
 *
 * @param servers servers by name: a command with its arguments, or a URL.
 * @throws the signal's reason when it is aborted; all servers are ended then.
 * @example
 * await using servers = await mcpTools({ files: { command: "npx", args: ["-y", "my-mcp-server"] } });
 * const agent = new Agent({ model, tools: [...defaultTools(), ...servers.tools] });
 */
export async function mcpTools(
  servers: Readonly<Record<string, McpServer>>,
  options: McpToolsOptions = {},
): Promise<McpTools> {
  const { cwd = process.cwd(), environment = process.env, signal = new AbortController().signal } = options;
  const { trusted = [], connect_seconds = 30, call_seconds = 60 } = options;
  const clients = Object.entries(servers).map(
    ([name, server]) => new McpClient({ name, server, root: cwd, environment }, connect_seconds * 1000),
  );
  const close = async (): Promise<void> => {
    await Promise.all(clients.map((client) => client.close()));
  };
  const found = await Promise.all(
    clients.map(async (client) => {
      try {
        const described = await client.listTools({ signal, milliseconds: connect_seconds * 1000 });
        const trust = { trusted: trusted.includes(client.name), milliseconds: call_seconds * 1000 };
        return { tools: described.map((tool) => mcpTool(client, tool, trust)) };
      } catch (error) {
        return { warning: errorMessage(error) };
      }
    }),
  );
  if (signal.aborted) {
    await close();
    throw signal.reason;
  }
  const warnings = found.flatMap(({ warning }) => warning ?? []);
  return {
    ...withoutDoubles(
      found.flatMap(({ tools = [] }) => tools),
      warnings,
    ),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** With two tools of one name the model could not choose; the first one stays. */
function withoutDoubles(
  all: readonly Tool[],
  warnings: readonly string[],
): Pick<McpTools, "tools" | "warnings"> {
  const tools = new Map<string, Tool>();
  const doubles: string[] = [];
  for (const tool of all) {
    if (tools.has(tool.name))
      doubles.push(`Two tools of MCP servers would be called ${tool.name}; the second is left out.`);
    else tools.set(tool.name, tool);
  }
  return { tools: [...tools.values()], warnings: [...warnings, ...doubles] };
}
