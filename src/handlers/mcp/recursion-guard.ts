import { createHash } from "node:crypto";
import type { McpServer } from "../../core/contracts/definition-site.ts";

/** The variable by which a process knows the servers it was started by, so that none of them is asked about itself. */
const VARIABLE = "TENTERHOOK_MCP_SERVERS";

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * True when this process was started by this very server, or by something it started: a hook that asks it would start
 * it again, and that one again, without end.
 */
export function isInCircle(server: McpServer, environment: Variables): boolean {
  return startedBy(environment).includes(markOf(server));
}

/** The variables a server is started with, so that what it starts knows of it. */
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
