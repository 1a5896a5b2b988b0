import { createHash } from "node:crypto";

/** What providers take as the name of a tool, and how much of it a server may take. */
const LONGEST = 64;
const LONGEST_SERVER = 32;

/**
 * The name of a server's tool for the model and for rules: `mcp__server__tool`, of letters, digits, `_` and `-`. The
 * server's part has no double underscore, so that a rule for one server can't be one for another. What would be too long
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
