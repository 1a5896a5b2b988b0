import { join } from "node:path";
import { errorMessage } from "../../core/base/error-text.ts";
import { isRecord, withoutUndefined } from "../../core/base/json.ts";
import type { McpServer } from "../../core/contracts/definition-site.ts";
import { readRegularFile, whyUnread } from "../files/regular-file.ts";
import { systemCode } from "../system-code.ts";

export interface McpFile {
  readonly servers: Readonly<Record<string, McpServer>>;
  /** What is wrong with the file or with a server in it, as sentences that name the place. */
  readonly problems: readonly string[];
}

const LARGEST_BYTES = 1_000_000;
const NOTHING: McpFile = { servers: {}, problems: [] };

/** Reads the `.mcp.json` of a folder, the format that several agents share. A missing file has no servers. */
export function readMcpFile(folder: string): McpFile {
  const file = join(folder, ".mcp.json");
  let text: string;
  try {
    text = readRegularFile(file, LARGEST_BYTES).toString("utf8");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return NOTHING;
    return refused(file, whyUnread(error));
  }
  let servers: unknown;
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    servers = isRecord(value) ? value.mcpServers : undefined;
  } catch (error) {
    return refused(file, errorMessage(error));
  }
  if (!isRecord(servers)) return refused(file, 'expected { "mcpServers": { name: { "command": … } } }');
  return readServers(servers, file);
}

function readServers(from: Readonly<Record<string, unknown>>, file: string): McpFile {
  const servers: [string, McpServer][] = [];
  const problems: string[] = [];
  for (const [name, value] of Object.entries(from)) {
    const server = readServer(value);
    if (typeof server === "string") problems.push(`${file}: the server ${JSON.stringify(name)} ${server}.`);
    else servers.push([name, server]);
  }
  return { servers: Object.fromEntries(servers), problems };
}

function readServer(value: unknown): McpServer | string {
  if (!isRecord(value)) return "must be an object";
  const { type, command, args, env, cwd, url, headers } = value;
  if (type === "sse") return "uses the transport sse, which http has replaced";
  if (type !== undefined && type !== "stdio" && type !== "http" && type !== "streamable-http")
    return `has the type ${JSON.stringify(type)}; there are stdio and http`;
  if (!isTextOrNothing(command) || !isTextOrNothing(url) || !isTextOrNothing(cwd))
    return "must give command, url and cwd as strings";
  if (args !== undefined && !(Array.isArray(args) && args.every((arg) => typeof arg === "string")))
    return "must give args as a list of strings";
  if (!isTextsOrNothing(env) || !isTextsOrNothing(headers))
    return "must give env and headers as strings by name";
  return withoutUndefined({ command, args, env, cwd, url, headers });
}

function refused(file: string, problem: string): McpFile {
  return { servers: {}, problems: [`${file} can't be read: ${problem}.`] };
}

function isTextOrNothing(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string";
}

function isTextsOrNothing(value: unknown): value is Readonly<Record<string, string>> | undefined {
  return (
    value === undefined || (isRecord(value) && Object.values(value).every((item) => typeof item === "string"))
  );
}
