import { isRecord, sameJson } from "../../core/base/json.ts";
import { plainName } from "../../core/match/tool-inputs.ts";
import { shellTextOf } from "../../rules/fields/shell-text.ts";
import { touchedBy } from "../../rules/fields/touched.ts";
import type { JudgedCall } from "./judged-call.ts";
import type { PermissionPorts } from "./permission-types.ts";

/**
 * A grant of a human for the session, for exactly one call: the same shell line in the same folder, the same files by the
 * same tool, the same host, or for any other tool the same input.
 */
export interface PermissionGrant {
  readonly kind: "command" | "path" | "domain" | "call";
  /** Our name of the tool. */
  readonly tool: string;
  /** For humans. */
  readonly text: string;
  /** What another call must have in common. */
  readonly bound: unknown;
}

/** Tools that are granted by file, and how they access files. */
const FILE_TOOLS: Readonly<Record<string, "reads" | "writes">> = {
  Read: "reads",
  Edit: "writes",
  Write: "writes",
  NotebookEdit: "writes",
};

export function grantFor(judged: JudgedCall, ports: PermissionPorts): PermissionGrant {
  const { tool, call } = judged;
  if (tool === "Bash") {
    const cwd = ports.paths.spellings(".", call.cwd).at(-1) ?? call.cwd;
    const bound = { cwd, input: significant(call.tool_input) };
    return { kind: "command", tool, text: shellTextOf(judged.subject) ?? call.tool_name, bound };
  }
  const access = Object.hasOwn(FILE_TOOLS, tool) ? FILE_TOOLS[tool] : undefined;
  const paths = access === undefined ? [] : touchedBy(judged.subject, access, true);
  if (paths.length > 0) {
    const bound = paths.map((path) => ports.paths.spellings(path, call.cwd));
    return { kind: "path", tool, text: bound.map(([first]) => first).join(", "), bound };
  }
  const hosts = tool === "WebFetch" ? fetchedHosts(judged) : undefined;
  if (hosts !== undefined) return { kind: "domain", tool, text: hosts[0] ?? call.tool_name, bound: hosts };
  return { kind: "call", tool: call.tool_name, text: call.tool_name, bound: call.tool_input };
}

export function isGranted(grant: PermissionGrant, judged: JudgedCall, ports: PermissionPorts): boolean {
  const own = grantFor(judged, ports);
  return own.kind === grant.kind && own.tool === grant.tool && sameJson(own.bound, grant.bound);
}

/** Fields of a shell call that do not change what it does. */
const REMARKS: ReadonlySet<string> = new Set(["description", "timeout", "timeoutms", "runinbackground"]);

function significant(input: unknown): unknown {
  if (!isRecord(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([name]) => !REMARKS.has(plainName(name))));
}

/** The origin and the hosts of a fetch without credentials. The port counts: another one is another server. */
function fetchedHosts({ call, hosts }: JudgedCall): readonly string[] | undefined {
  const address = isRecord(call.tool_input) ? call.tool_input.url : undefined;
  if (typeof address !== "string" || !URL.canParse(address)) return undefined;
  const { origin, username, password } = new URL(address);
  return username === "" && password === "" && origin !== "null"
    ? [...new Set([origin, ...hosts()])]
    : undefined;
}
