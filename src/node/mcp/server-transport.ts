import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";

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

export type Sdk = typeof import("../../packages/mcp.ts");
