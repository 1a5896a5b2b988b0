import { createHash } from "node:crypto";
import { capText } from "../../../core/base/text.ts";
import type { Tool, ToolAnnotations } from "../../../core/contracts/tool.ts";
import type { McpClient, McpToolDescription } from "../../../node/mcp/mcp-client.ts";
import { mcpContent } from "./mcp-content.ts";

/** How much the model reads of one result, and of a tool's description. */
const MOST_ANSWER_CHARACTERS = 100_000;
const MOST_DESCRIPTION_CHARACTERS = 4_000;

/**
 * Wraps a server's tool as a tool of the agent.
 *
 * @param use.trusted true: the server's hints about its tools are believed.
 * @param use.milliseconds the timeout of a call.
 */
export function mcpTool(
  client: McpClient,
  described: McpToolDescription,
  { trusted, milliseconds }: { readonly trusted: boolean; readonly milliseconds: number },
): Tool {
  const { name, description = "", inputSchema, hints } = described;
  return {
    name: mcpToolName(client.name, name),
    description: capText(description, MOST_DESCRIPTION_CHARACTERS),
    input_schema: inputSchema,
    annotations: annotationsOf(hints, trusted),
    async run(input, { signal }) {
      const { content, structured, is_error } = await client.callTool(name, input, { signal, milliseconds });
      const shown = mcpContent(content, MOST_ANSWER_CHARACTERS);
      return {
        content:
          shown === "" && structured !== undefined
            ? capText(JSON.stringify(structured), MOST_ANSWER_CHARACTERS)
            : shown,
        ...(is_error ? { is_error: true } : {}),
        ...(structured === undefined ? {} : { data: structured }),
      };
    },
  };
}

/**
 * What a tool does, as far as its server can be believed. A hint that makes us more careful is always used; one that
 * makes us less careful (read-only, idempotent, closed world) only from a trusted server: a server can claim anything,
 * and such a tool runs without asking, also in plan mode.
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

/** The longest tool name that providers accept, and the server's share of it. */
const LONGEST = 64;
const LONGEST_SERVER = 32;

/**
 * The name of a server's tool for the model and for rules: `mcp__server__tool`, with letters, digits, `_` and `-`. The
 * server's part has no double underscore, so that a rule for one server never matches another. A longer name is cut and
 * ends in a hash of the whole.
 */
export function mcpToolName(server: string, tool: string): string {
  const owner = plain(server).replaceAll(/_{2,}/g, "_").replaceAll(/^_|_$/g, "");
  return shortened(
    `mcp__${shortened(owner, LONGEST_SERVER, server)}__${plain(tool)}`,
    LONGEST,
    `${server}\n${tool}`,
  );
}

function shortened(name: string, longest: number, whole: string): string {
  if (name.length <= longest) return name;
  const hash = createHash("sha256").update(whole).digest("hex").slice(0, 8);
  return `${name.slice(0, longest - hash.length - 1)}-${hash}`;
}

function plain(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_-]/g, "_");
}
