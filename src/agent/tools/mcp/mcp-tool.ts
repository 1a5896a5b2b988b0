import { createHash } from "node:crypto";
import { isRecord } from "../../../core/base/json.ts";
import { beginningOf, capText } from "../../../core/base/text.ts";
import { bytesIn, type ContentPart, type FilePart } from "../../../core/contracts/content.ts";
import type { Tool, ToolAnnotations } from "../../../core/contracts/tool.ts";
import type { McpClient, McpToolDescription } from "../../../node/mcp/mcp-client.ts";
import { readContent } from "../../../shared/contracts/read-content.ts";

/** How much the model reads of one result, and of a tool's description. */
const MOST_ANSWER_CHARACTERS = 100_000;
const MOST_DESCRIPTION_CHARACTERS = 4_000;

/** Wraps a server's tool as a tool of the agent. The hints of a trusted server are believed; `milliseconds` limits a call. */
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
      const shown = mcpContent(content);
      return {
        content:
          shown === "" && structured !== undefined
            ? capText(JSON.stringify(structured), MOST_ANSWER_CHARACTERS)
            : shown,
        ...(is_error ? { is_error: true } : {}),
        data: structured,
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

type Block = Readonly<Record<string, unknown>>;

/** The content of a server's answer: text, or a list of texts and files when it has images, audio or other data. */
function mcpContent(blocks: readonly Block[]): string | readonly ContentPart[] {
  const parts = blocks.map(partOf);
  const files = parts.filter((part) => typeof part !== "string");
  const texts = cutTexts(parts.filter((part) => typeof part === "string"));
  if (files.length === 0) return texts.join("\n");
  return parts.flatMap((part): readonly ContentPart[] => {
    if (typeof part !== "string") return [part];
    const text = texts.shift();
    return text === undefined ? [] : [{ type: "text", text }];
  });
}

/** The texts, or one with as much of them as fits. */
function cutTexts(texts: readonly string[]): string[] {
  const all = texts.join("\n");
  const shown = beginningOf(all, MOST_ANSWER_CHARACTERS);
  return shown === all ? [...texts] : [shown];
}

/** Each kind of content as text or file. */
const KINDS: Readonly<Record<string, (block: Block) => string | FileOf>> = {
  text: ({ text }) => String(text),
  image: (block) => fileOf("image", block, block.data),
  audio: (block) => fileOf("audio", block, block.data),
  resource: ({ resource }) => resourceOf(resource),
  resource_link: ({ uri, name }) => `[link to ${String(name)}: ${String(uri)}]`,
};

type FileOf = FilePart & { readonly data: string };

function partOf(block: Block): string | FileOf {
  const kind = String(block.type);
  return (Object.hasOwn(KINDS, kind) ? KINDS[kind]?.(block) : undefined) ?? `[${kind} left out]`;
}

function resourceOf(resource: unknown): string | FileOf {
  if (!isRecord(resource)) return "[resource left out]";
  if (typeof resource.text === "string") return resource.text;
  return fileOf(`resource ${String(resource.uri)}`, resource, resource.blob, nameIn(resource.uri));
}

/** The file of a block; a sentence when its data can't be read. */
function fileOf(what: string, { mimeType }: Block, data: unknown, filename?: string): string | FileOf {
  const type = typeof mimeType === "string" ? mimeType : undefined;
  try {
    const [part] = readContent(
      [
        {
          type: "file",
          data,
          media_type: type,
          filename,
        },
      ],
      "content",
    );
    if (part?.type === "text") return part.text;
    if (part?.data !== undefined) return { ...part, data: part.data };
  } catch {
    // It is no base64, too large, or of no known type.
  }
  return `[${what}${type === undefined ? "" : ` ${type}`} of ${bytesIn(String(data ?? ""))} bytes left out]`;
}

function nameIn(uri: unknown): string | undefined {
  const name = String(uri).split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(name) || undefined;
  } catch {
    return name || undefined;
  }
}
