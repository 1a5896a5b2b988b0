import { createHash } from "node:crypto";
import { didYouMean } from "../../core/base/suggest.ts";
import type { DefinitionSite, McpServer } from "../../core/contracts/definition-site.ts";
import { type McpFile, readMcpFile } from "../../node/mcp/mcp-file.ts";

export type FoundServer =
  | { readonly server: McpServer; readonly problem?: undefined }
  | { readonly problem: string };

/** Looks in the configuration, then in the `.mcp.json` next to it. */
export function findServer(name: string, { mcp_servers = {}, root }: DefinitionSite): FoundServer {
  const configured = own(mcp_servers, name);
  if (configured !== undefined) return { server: configured };
  const file: McpFile = readMcpFile(root);
  const shared = own(file.servers, name);
  if (shared !== undefined) return { server: shared };
  const known = [...Object.keys(mcp_servers), ...Object.keys(file.servers)];
  const about = file.problems.map((problem) => ` ${problem}`).join("");
  const near = didYouMean(name, known) || (known.length === 0 ? "" : ` There are ${known.join(", ")}.`);
  return {
    problem: `There is no MCP server ${JSON.stringify(name)} in mcp_servers or .mcp.json.${near}${about}`,
  };
}

function own(servers: Readonly<Record<string, McpServer>>, name: string): McpServer | undefined {
  return Object.hasOwn(servers, name) ? servers[name] : undefined;
}

/** Lists the servers that started this process, so that none of them is asked about itself. */
const VARIABLE = "TENTERHOOK_MCP_SERVERS";

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * True when this process was started by this very server, or by something it started: a hook that asks it would start
 * it again, and that one again, without end.
 */
export function isInCircle(server: McpServer, environment: Variables): boolean {
  return startedBy(environment).includes(markOf(server));
}

export function circleMarks(server: McpServer, environment: Variables): Readonly<Record<string, string>> {
  return { [VARIABLE]: [...startedBy(environment), markOf(server)].join(" ") };
}

function startedBy(environment: Variables): readonly string[] {
  return (environment[VARIABLE] ?? "").split(" ").filter((mark) => mark !== "");
}

/** The same program is the same server, whatever name, variables or folder it was given. */
function markOf({ command, args = [], url }: McpServer): string {
  return createHash("sha256")
    .update(JSON.stringify([command, args, url]))
    .digest("hex")
    .slice(0, 16);
}
