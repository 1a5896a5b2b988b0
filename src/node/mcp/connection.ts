import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { errorMessage } from "../../core/base/error-text.ts";
import { firstCharacters } from "../../core/base/text.ts";
import { ProgramError } from "../process/program-error.ts";
import { systemCode } from "../system-code.ts";
import { addressTransport } from "./address-transport.ts";
import { ProgramTransport } from "./program-transport.ts";
import { type McpServerSite, serverCall } from "./server-call.ts";
import { McpServerError, type Sdk, type ServerTransport } from "./server-transport.ts";

/** A connection to a server, and how many calls use it. */
export interface Connection {
  readonly name: string;
  readonly client: Client;
  readonly server: ServerTransport;
  readonly sdk: Sdk;
  calls: number;
  /** It must not be used again, and is closed after its last call. */
  retired: boolean;
}

/**
 * Connects to a server. `onClosed` is called once the connection can't be used any more.
 *
 * @throws McpServerError when that fails; nothing is left running then.
 */
export async function openConnection(
  site: McpServerSite,
  options: { readonly timeout: number; readonly signal: AbortSignal },
  onClosed: (connection: Connection) => void,
): Promise<Connection> {
  const { name } = site;
  const call = serverCall(site);
  // It takes a fifth of a second to load.
  const sdk = await import("../../packages/mcp.ts");
  options.signal.throwIfAborted();
  const server =
    call.kind === "program"
      ? new ProgramTransport(name, call.call, sdk)
      : addressTransport(sdk, name, call.url, call.headers);
  const client = new sdk.Client({ name: "tenterhook", version: "1" });
  const connection: Connection = { name, client, server, sdk, calls: 0, retired: false };
  try {
    await client.connect(server.transport, options);
  } catch (error) {
    const failure = failureOf(error, connection);
    await server.close();
    // A server that refuses the handshake can't be called.
    throw failure.kind === "refused"
      ? new McpServerError("error", failure.message, { cause: error })
      : failure;
  }
  client.onclose = () => onClosed(connection);
  server.keepAlive?.(false);
  return connection;
}

const NOBODY_THERE = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "ENETUNREACH"]);

/** Converts an error of the SDK, or below it. */
export function failureOf(error: unknown, { name: plain, server, sdk }: Connection): McpServerError {
  if (error instanceof McpServerError) return error;
  const options = { cause: error };
  const name = JSON.stringify(plain);
  if (error instanceof ProgramError)
    return new McpServerError(
      error.kind,
      `The MCP server ${name} can't be started: ${error.message}`,
      options,
    );
  const ended = server.ended();
  if (ended !== undefined) return ended;
  const { McpError, ErrorCode } = sdk;
  const stderr = server.strayOutput?.() ?? "";
  const message = firstCharacters(errorMessage(error), 500);
  if (error instanceof McpError && error.code === ErrorCode.RequestTimeout)
    return new McpServerError(
      "timeout",
      sentence(`The MCP server ${name} did not answer in time`, stderr),
      options,
    );
  if (error instanceof McpError)
    return new McpServerError("refused", `The MCP server ${name} refused: ${message}`, options);
  if (error instanceof Error && error.name.endsWith("ZodError"))
    return new McpServerError(
      "bad_output",
      `The MCP server ${name} answered what is no MCP result.`,
      options,
    );
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const code = systemCode(cause) ?? "";
  const kind = NOBODY_THERE.has(code) ? "missing" : "error";
  const why = code === "" ? "" : ` (${code})`;
  return new McpServerError(
    kind,
    sentence(`The MCP server ${name} failed: ${message}${why}`, stderr),
    options,
  );
}

/** True when any other call on the connection would fail too, or wait as long. */
export function isLost({ kind }: McpServerError, { server }: Connection): boolean {
  return server.ended() !== undefined || kind === "error" || kind === "missing" || kind === "timeout";
}

function sentence(start: string, stderr: string): string {
  return stderr === "" ? `${start.replace(/\.$/, "")}.` : `${start}: ${stderr}`;
}
