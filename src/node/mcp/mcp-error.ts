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
