import { createHash } from "node:crypto";

/** What providers take as the name of a tool. */
const LONGEST = 64;

/**
 * The name of a server's tool for the model and for rules: `mcp__server__tool`, of letters, digits, `_` and `-`. The
 * server's part has no double underscore, so that a rule for one server can't be one for another. A name that would be
 * too long ends in a hash of the whole.
 */
export function mcpToolName(server: string, tool: string): string {
  const name = `mcp__${plain(server).replaceAll(/_{2,}/g, "_").replaceAll(/^_|_$/g, "")}__${plain(tool)}`;
  if (name.length <= LONGEST) return name;
  const hash = createHash("sha256").update(`${server}\n${tool}`).digest("hex").slice(0, 8);
  return `${name.slice(0, LONGEST - hash.length - 1)}_${hash}`;
}

function plain(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_-]/g, "_");
}
