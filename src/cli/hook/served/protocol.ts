import { isUtf8 } from "node:buffer";
import type { NativeReply } from "../../../adapters/adapter.ts";
import { PACKAGE_VERSION } from "../../../node/package-version.ts";

/*
 * How the daemon's deciding process is asked about a call of `tenterhook hook`: an HTTP request on its socket. client.sh
 * writes such requests and reads the replies too.
 */

/** A call of `tenterhook hook`. */
export interface HookCall {
  /** Names the call when it has to be decided again. */
  readonly id: string;
  readonly cwd: string;
  readonly variables: Variables;
  /** The payload as the agent sent it. */
  readonly text: string;
}

/** The variables of a call. Calls of one agent share them. */
export interface Variables {
  readonly environment: NodeJS.ProcessEnv;
}

/** What `tenterhook hook` writes, and its exit code. */
export type CallReply = Omit<NativeReply, "losses">;

/** Another version may decide otherwise, and has another path. */
export const CALL_PATH = `/hook/${PACKAGE_VERSION}`;

/** Like the ids that this package counts, which no shape of a secret looks like. */
const ID = /^call[0-9a-f]{24}-1$/;
const EXIT_CODE = "x-exit-code";
const STDERR_BYTES = "x-stderr-bytes";
/** How many agents' variables are remembered. */
const REMEMBERED = 100;

/** The id, the folder and the variables, each ended by a zero byte, one more zero byte, and the payload. */
export function callBody({ id, cwd, variables, text }: HookCall): string {
  // Sorted, so that the reader knows equal variables by their text.
  const entries = Object.entries(variables.environment).map(([name, value]) => `${name}=${value}\0`);
  return `${id}\0${cwd}\0${entries.sort().join("")}\0${text}`;
}

/** Reads what {@link callBody} has written; `undefined` for anything else. */
export function callReader(): (body: Buffer) => HookCall | undefined {
  const variablesIn = variablesReader();
  return (body) => {
    const idEnd = body.indexOf(0);
    const cwdEnd = body.indexOf(0, idEnd + 1);
    const end = body.indexOf("\0\0", cwdEnd + 1);
    // Without its variables nobody knows how the call would have been answered.
    if (idEnd < 0 || cwdEnd <= idEnd || end <= cwdEnd) return undefined;
    const id = body.toString("latin1", 0, idEnd);
    const payload = body.subarray(end + 2);
    if (!ID.test(id) || !isUtf8(payload)) return undefined;
    return {
      id,
      cwd: body.toString("utf8", idEnd + 1, cwdEnd),
      variables: variablesIn(body.subarray(cwdEnd + 1, end)),
      text: payload.toString("utf8"),
    };
  };
}

/** The body of a reply, and its headers. What goes to stderr comes first. */
export function replyParts({ stdout, stderr, exit_code }: CallReply) {
  const headers = { [EXIT_CODE]: `${exit_code}`, [STDERR_BYTES]: `${Buffer.byteLength(stderr)}` };
  return { body: stderr + stdout, headers: stderr === "" && exit_code === 0 ? {} : headers };
}

/** Reads what {@link replyParts} has written. */
export function replyIn(body: Buffer, headers: Readonly<Record<string, unknown>>): CallReply {
  const stderrBytes = Number(headers[STDERR_BYTES] ?? 0);
  return {
    stdout: body.toString("utf8", stderrBytes),
    stderr: body.toString("utf8", 0, stderrBytes),
    exit_code: Number(headers[EXIT_CODE] ?? 0),
  };
}

/** Gives the same object for the same variables, so that others can remember what follows from them. */
function variablesReader(): (bytes: Buffer) => Variables {
  const known = new Map<string, Variables>();
  return (bytes) => {
    const key = bytes.toString("latin1");
    const found = known.get(key) ?? { environment: environmentIn(bytes.toString("utf8")) };
    // The last used come last, and the first is dropped.
    known.delete(key);
    known.set(key, found);
    const [oldest] = known.keys();
    if (known.size > REMEMBERED && oldest !== undefined) known.delete(oldest);
    return found;
  };
}

function environmentIn(text: string): NodeJS.ProcessEnv {
  const entries = text.split("\0").flatMap((entry) => {
    const at = entry.indexOf("=");
    return at <= 0 ? [] : [[entry.slice(0, at), entry.slice(at + 1)] as const];
  });
  return Object.fromEntries(entries);
}
