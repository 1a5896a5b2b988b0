/**
 * Why an MCP server did not do what was asked of it: `missing` when it, its program or the tool is not there, `timeout`
 * when it took too long, `bad_output` for an answer that is none, `refused` when it answered that it will not, else
 * `error`. The message names the server.
 */
export class McpServerError extends Error {
  readonly kind: "missing" | "timeout" | "bad_output" | "refused" | "error";

  constructor(kind: McpServerError["kind"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "McpServerError";
    this.kind = kind;
  }
}
