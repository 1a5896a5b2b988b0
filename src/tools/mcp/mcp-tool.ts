import { capText } from "../../core/base/text.ts";
import type { Tool, ToolAnnotations } from "../../core/contracts/tool.ts";
import type { McpClient, McpToolDescription } from "../../node/mcp/mcp-client.ts";
import { contentText } from "./content-text.ts";
import { mcpToolName } from "./tool-name.ts";

/** What the model reads of one answer, and of the description of a tool. */
const MOST_ANSWER_CHARACTERS = 100_000;
const MOST_DESCRIPTION_CHARACTERS = 4_000;

/** How a server's tools are taken. */
export interface McpToolTrust {
  /** True: what the server says of its tools is believed. */
  readonly trusted: boolean;
  /** How long a call may take. */
  readonly milliseconds: number;
}

/** A tool of a server as a tool of an agent. */
export function mcpTool(client: McpClient, described: McpToolDescription, trust: McpToolTrust): Tool {
  const { name, description = "", inputSchema, hints } = described;
  return {
    name: mcpToolName(client.name, name),
    description: capText(description, MOST_DESCRIPTION_CHARACTERS),
    input_schema: inputSchema,
    annotations: annotationsOf(hints, trust.trusted),
    async run(input, { signal }) {
      const { content, structured, is_error } = await client.callTool(name, input, {
        signal,
        milliseconds: trust.milliseconds,
      });
      const text = contentText(content, MOST_ANSWER_CHARACTERS);
      return {
        content:
          text === "" && structured !== undefined
            ? capText(JSON.stringify(structured), MOST_ANSWER_CHARACTERS)
            : text,
        ...(is_error ? { is_error: true } : {}),
        ...(structured === undefined ? {} : { data: structured }),
      };
    },
  };
}

/**
 * What a tool does, as far as its server can be believed. A hint that makes us more careful is always taken; one that
 * would make us less so (read-only, idempotent, not open to the world) only from a server that is trusted, since a
 * server can say anything and such a tool runs without asking, also in plan mode.
 */
export function annotationsOf(hints: McpToolDescription["hints"], trusted: boolean): ToolAnnotations {
  const readOnly = trusted && hints.readOnlyHint === true && hints.destructiveHint !== true;
  return {
    read_only: readOnly,
    destructive:
      hints.destructiveHint === true || !(readOnly || (trusted && hints.destructiveHint === false)),
    idempotent: trusted && hints.idempotentHint === true,
    open_world: !(trusted && hints.openWorldHint === false),
  };
}
