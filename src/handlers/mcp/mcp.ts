import { createHash } from "node:crypto";
import { isRecord } from "../../core/base/json.ts";
import { didYouMean } from "../../core/base/suggest.ts";
import { capText } from "../../core/base/text.ts";
import type { DefinitionSite, McpServer } from "../../core/contracts/definition-site.ts";
import { HookFailureError } from "../../core/events/hook-failure-error.ts";
import type { Outcome } from "../../core/events/outcomes.ts";
import type { AnyEvent } from "../../core/events/payloads.ts";
import type { Handler } from "../../core/ports.ts";
import { type McpCallOptions, McpClient } from "../../node/mcp/mcp-client.ts";
import { type McpFile, readMcpFile } from "../../node/mcp/mcp-file.ts";
import { type McpServerSite, serverProblem } from "../../node/mcp/server-call.ts";
import { McpServerError } from "../../node/mcp/server-transport.ts";
import { subjectOf } from "../../rules/fields/judged-event.ts";
import {
  checkTrust,
  failingHandler,
  type HandlerContext,
  type HandlerPorts,
  type HandlerSettings,
} from "../handler.ts";
import { askAsWritten } from "../written-for.ts";
import { compileInput } from "./input-template.ts";
import { readAnswer, textOf } from "./read-answer.ts";

/** The longest timer: the hook's own timeout ends a call. */
const NO_LIMIT_MILLISECONDS = 2 ** 31 - 1;

/**
 * A hook that decides by calling a tool of an MCP server. The call itself fires no hooks. The server is started or
 * reached at the first event, shared with the other hooks of the set that name it, and never keeps our process alive.
 *
 * @throws TenterhookError `bad_rule` for an input that can't be filled in.
 */
export function mcpHandler(settings: HandlerSettings<"mcp">, { site, ports }: HandlerContext): Handler {
  const { server: name, tool } = settings;
  const fill = compileInput(settings.input);
  const found = findServer(name, site);
  if (found.problem !== undefined) return failingHandler("mcp", "missing", found.problem);
  const { server } = found;
  const { environment } = ports;
  if (isInCircle(server, environment)) {
    return failingHandler(
      "mcp",
      "error",
      `The MCP server ${JSON.stringify(name)} has started this process: asking it here would go on without end.`,
    );
  }
  const place = { name, server, root: site.root, environment, marks: circleMarks(server, environment) };
  const shared = sharedClient(place, ports);
  const problem = serverProblem(place);
  const ask = async (event: AnyEvent, signal: AbortSignal): Promise<readonly Outcome[]> => {
    checkTrust(site);
    const client = shared.use();
    const options = { signal, milliseconds: NO_LIMIT_MILLISECONDS };
    try {
      const isNative = settings.payload === "native" && isRecord(event.native);
      const asked = isNative ? { ...event.native, ...event } : event;
      const answer = await client.callTool(tool, fill(subjectOf(asked, ports.rules)), options);
      if (!answer.is_error) return readAnswer(answer, event, isNative);
      const problem = `The tool ${JSON.stringify(tool)} failed: ${capText(textOf(answer), 500)}`;
      throw new McpServerError("refused", problem);
    } catch (error) {
      throw error instanceof McpServerError ? await hookFailure(error, client, tool, options) : error;
    }
  };
  return {
    type: "mcp",
    problem,
    run: (event, context) =>
      askAsWritten(settings, event, context, ports, (asked) => ask(asked, context.signal)),
    health: () => shared.health(),
    close: () => shared.release(),
  };
}

/** Servers report a missing tool in their own words, so the list of tools decides whether it is missing. */
async function hookFailure(
  error: McpServerError,
  client: McpClient,
  tool: string,
  options: McpCallOptions,
): Promise<HookFailureError> {
  const { kind, message } = error;
  if (kind !== "refused") return new HookFailureError(kind, message, { cause: error });
  const tools = await client.listTools(options).catch(() => undefined);
  const names = tools?.map(({ name }) => name);
  if (names === undefined || names.includes(tool))
    return new HookFailureError("error", message, { cause: error });
  const where = `The MCP server ${JSON.stringify(client.name)} has no tool ${JSON.stringify(tool)}.`;
  return new HookFailureError("missing", `${where}${didYouMean(tool, names)}`, { cause: error });
}

interface SharedClient {
  /** Returns the client and counts this hook as one of its users. */
  use(): McpClient;
  /** The last user closes the client. */
  release(): Promise<void>;
  health(): string;
}

interface Entry {
  readonly client: McpClient;
  users: number;
}

const sets = new WeakMap<HandlerPorts, Map<string, Entry>>();

/** One client for all hooks of a set that name the same server in the same way. */
function sharedClient(site: McpServerSite, ports: HandlerPorts): SharedClient {
  let entries = sets.get(ports);
  if (entries === undefined) {
    entries = new Map();
    sets.set(ports, entries);
  }
  const clients = entries;
  const key = JSON.stringify([site.name, site.server, site.root]);
  let used: Entry | undefined;
  return {
    use: () => {
      if (used === undefined) {
        used = clients.get(key) ?? { client: new McpClient(site), users: 0 };
        used.users += 1;
        clients.set(key, used);
      }
      return used.client;
    },
    release: async () => {
      const entry = used;
      used = undefined;
      if (entry === undefined) return;
      entry.users -= 1;
      if (entry.users > 0) return;
      clients.delete(key);
      await entry.client.close();
    },
    health: () => used?.client.health() ?? "not connected",
  };
}

type FoundServer =
  | { readonly server: McpServer; readonly problem?: undefined }
  | { readonly problem: string };

/** Looks in the configuration, then in the `.mcp.json` next to it. */
function findServer(name: string, { mcp_servers = {}, root }: DefinitionSite): FoundServer {
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
function isInCircle(server: McpServer, environment: Variables): boolean {
  return startedBy(environment).includes(markOf(server));
}

function circleMarks(server: McpServer, environment: Variables): Readonly<Record<string, string>> {
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
