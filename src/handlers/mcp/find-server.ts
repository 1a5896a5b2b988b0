import { didYouMean } from "../../core/base/suggest.ts";
import type { DefinitionSite, McpServer } from "../../core/contracts/definition-site.ts";
import { type McpFile, readMcpFile } from "../../node/mcp/mcp-file.ts";

/** A server by its name, or why there is none, in a sentence. */
export type FoundServer =
  | { readonly server: McpServer; readonly problem?: undefined }
  | { readonly problem: string };

/** Looks a server up: in the configuration, then in the `.mcp.json` beside it. */
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
