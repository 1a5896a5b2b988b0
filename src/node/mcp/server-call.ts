import { resolve } from "node:path";
import { errorMessage } from "../../core/base/error-text.ts";
import type { McpServer } from "../../core/contracts/definition-site.ts";
import { childEnvironment } from "../process/environment.ts";
import { programProblem } from "../process/find-program.ts";
import type { ProgramCall } from "../process/start-program.ts";
import { McpServerError } from "./server-transport.ts";

type Variables = Readonly<Record<string, string | undefined>>;

export interface McpServerSite {
  /** For messages. */
  readonly name: string;
  readonly server: McpServer;
  /** The folder in which a program starts by default. */
  readonly root: string;
  /** The variables of this process. A program gets them without those that look like secrets. */
  readonly environment: Variables;
  /** Additional variables for a program. */
  readonly marks?: Readonly<Record<string, string>>;
}

/** How to reach a server, with all variables expanded. */
export type McpServerCall =
  | { readonly kind: "program"; readonly call: ProgramCall }
  | { readonly kind: "address"; readonly url: URL; readonly headers: Readonly<Record<string, string>> };

/**
 * Expands a server's variables.
 *
 * @throws McpServerError `missing` for a server without a command or url, an invalid address, or a variable that is not
 * set.
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
    throw refuse(errorMessage(error), error);
  }
}

/** Why a server certainly can't be reached, as a sentence; `undefined` when it may be. */
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
    return errorMessage(error);
  }
}

const VARIABLE = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

/**
 * Expands `${NAME}` and `${NAME:-default}`.
 *
 * @throws Error that names the first variable that is not set and has no default.
 */
function expandVariables(text: string, environment: Variables): string {
  return text.replaceAll(VARIABLE, (_whole, name: string, otherwise: string | undefined) => {
    const value = environment[name] ?? otherwise;
    if (value === undefined) throw new Error(`the variable ${name} is not set`);
    return value;
  });
}

function expandAll(texts: Readonly<Record<string, string>>, environment: Variables): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, expandVariables(text, environment)]),
  );
}
