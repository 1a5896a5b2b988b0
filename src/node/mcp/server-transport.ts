import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { McpServerError } from "./mcp-error.ts";

/** How a server is reached. */
export interface ServerTransport {
  readonly transport: Transport;
  /** Why it can't be used any more. */
  ended(): McpServerError | undefined;
  /** Ends it with everything that belongs to it. Never rejects. */
  close(): Promise<void>;
  /** Whether a program keeps our process alive. */
  keepAlive?(wanted: boolean): void;
  /** The last output of a program that was not a message, for error messages. */
  strayOutput?(): string;
}
