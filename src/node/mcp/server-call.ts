import { resolve } from "node:path";
import type { McpServer } from "../../core/contracts/definition-site.ts";
import { childEnvironment } from "../process/environment.ts";
import { programProblem } from "../process/find-program.ts";
import type { ProgramCall } from "../process/start-program.ts";
import { McpServerError } from "./mcp-error.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** A server with the place it belongs to. */
export interface McpServerSite {
  /** The name it is called by, for messages. */
  readonly name: string;
  readonly server: McpServer;
  /** The folder a program starts in, when the server does not say. */
  readonly root: string;
  /** The variables of this process. A program gets them without what looks like a secret. */
  readonly environment: Variables;
  /** Variables a program gets beside them. */
  readonly marks?: Readonly<Record<string, string>>;
}

/** How a server is reached, made ready: every variable filled in. */
export type McpServerCall =
  | { readonly kind: "program"; readonly call: ProgramCall }
  | { readonly kind: "address"; readonly url: URL; readonly headers: Readonly<Record<string, string>> };

/**
 * Makes a server ready to be reached.
 *
 * @throws McpServerError `missing` for a server that says neither program nor address, an address that is none, or a
 * variable that is not set.
 */
export function serverCall({ name, server, root, environment, marks }: McpServerSite): McpServerCall {
  const refuse = (problem: string, cause?: unknown) =>
    new McpServerError("missing", `The MCP server ${JSON.stringify(name)} can't be reached: ${problem}.`, {
      cause,
    });
  const { command, args = [], env = {}, cwd, url, headers = {} } = server;
  if ((command === undefined) === (url === undefined)) throw refuse("it needs either a command or a url");
  try {
    if (url !== undefined) {
      const address = new URL(expandVariables(url, environment));
      if (!/^https?:$/.test(address.protocol))
        throw new Error(`${address.protocol} is neither http: nor https:`);
      return { kind: "address", url: address, headers: expandAll(headers, environment) };
    }
    return {
      kind: "program",
      call: {
        file: expandVariables(command ?? "", environment),
        args: args.map((arg) => expandVariables(arg, environment)),
        cwd: cwd === undefined ? root : resolve(root, expandVariables(cwd, environment)),
        environment: { ...childEnvironment(environment), ...expandAll(env, environment), ...marks },
      },
    };
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : String(error), error);
  }
}

/** Why a server can't be reached for certain, in a sentence; `undefined` when it may be. */
export function serverProblem(site: McpServerSite): string | undefined {
  try {
    const ready = serverCall(site);
    if (ready.kind === "address") return undefined;
    const { file, cwd, environment } = ready.call;
    const problem = programProblem(file, cwd, environment);
    return problem === undefined
      ? undefined
      : `The MCP server ${JSON.stringify(site.name)} can't be started: ${problem}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const VARIABLE = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

/**
 * A text with `${NAME}` and `${NAME:-otherwise}` replaced by variables, as files of MCP servers write them.
 *
 * @throws Error that names the first variable that is not set and has nothing to stand for it.
 */
function expandVariables(text: string, environment: Variables): string {
  return text.replaceAll(VARIABLE, (_whole, name: string, otherwise: string | undefined) => {
    const value = environment[name] ?? otherwise;
    if (value === undefined) throw new Error(`the variable ${name} is not set`);
    return value;
  });
}

/** The same for every value of an object. */
function expandAll(texts: Readonly<Record<string, string>>, environment: Variables): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, expandVariables(text, environment)]),
  );
}
