import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { importOptional, installHint } from "../optional-package.ts";

/** How a server is reached. */
export interface ServerTransport {
  readonly transport: Transport;
  /** Why it can't be used any more. */
  ended(): McpServerError | undefined;
  /** Ends it with everything that belongs to it. Never rejects. */
  close(): Promise<void>;
  /** Says whether a program may keep our process alive: it may while a call is pending. */
  keepAlive?(wanted: boolean): void;
  /** The last output of a program that was not a message, for error messages. */
  strayOutput?(): string;
}

export const MOST_MESSAGE_BYTES = 4_000_000;

/**
 * Why a call of an MCP server failed: `missing` when the server, its program or the tool does not exist, `timeout`,
 * `bad_output` for an invalid reply, `refused` when the server returned an error, else `error`. The message names the
 * server.
 */
export class McpServerError extends Error {
  readonly kind: "missing" | "timeout" | "bad_output" | "refused" | "error";

  constructor(kind: McpServerError["kind"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "McpServerError";
    this.kind = kind;
  }
}

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
