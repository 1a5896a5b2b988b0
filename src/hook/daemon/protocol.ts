import { isUtf8 } from "node:buffer";
import { existsSync } from "node:fs";
import type { NativeReply } from "../../adapters/adapter.ts";
import { PACKAGE_VERSION } from "../../node/package-version.ts";
import type { HookCall } from "../call.ts";

/*
 * How the daemon is asked about a call of `tenterhook hook`: an HTTP request on its socket, which client.sh writes.
 */

export interface SentCall extends Omit<HookCall, "time" | "signal"> {
  /** Names what the client sees of the file system; empty where the system has no name for it. */
  readonly mounts: string;
}

/** What `tenterhook hook` writes, and its exit code. */
export type CallReply = Omit<NativeReply, "losses">;

/** Another version may decide otherwise, and has another path. */
export const CALL_PATH = `/hook/${PACKAGE_VERSION}`;

/** Like the ids that this package counts, which no shape of a secret looks like. */
const ID = /^call[0-9a-f]{24}-1$/;
/** How many agents' variables are remembered. */
const REMEMBERED = 100;

/**
 * Reads the body of a request: the id, the folder, the process, its parent, its mounts and the variables, each ended by a zero
 * byte,
 * one more zero byte, and the payload. `undefined` for anything else.
 */
export function callReader(): (body: Buffer) => SentCall | undefined {
  const environmentIn = environmentReader();
  return (body) => {
    const ends: number[] = [];
    for (let at = -1; ends.length < 5; ends.push(at)) {
      at = body.indexOf(0, at + 1);
      if (at < 0) return undefined;
    }
    const [idEnd = 0, cwdEnd = 0, pidEnd = 0, parentEnd = 0, mountsEnd = 0] = ends;
    const end = body.indexOf("\0\0", mountsEnd + 1);
    // Without its variables nobody knows how the call would have been answered.
    if (end <= mountsEnd) return undefined;
    const id = body.toString("latin1", 0, idEnd);
    const payload = body.subarray(end + 2);
    if (!ID.test(id) || !isUtf8(payload)) return undefined;
    const cwd = body.toString("utf8", idEnd + 1, cwdEnd);
    return {
      id,
      // A shell may name a folder that was deleted.
      cwd: existsSync(cwd) ? cwd : undefined,
      pid: Number(body.toString("latin1", cwdEnd + 1, pidEnd)),
      parent: Number(body.toString("latin1", pidEnd + 1, parentEnd)),
      mounts: body.toString("latin1", parentEnd + 1, mountsEnd),
      environment: environmentIn(body.subarray(mountsEnd + 1, end)),
      text: payload.toString("utf8"),
    };
  };
}

/** The body of a reply, and its headers. What goes to stderr comes first. */
export function replyParts({ stdout, stderr, exit_code }: CallReply) {
  const written = stderr === "" ? "" : `${stderr}\n`;
  const body = Buffer.from(`${written}${stdout}`);
  return {
    body,
    headers: {
      "content-length": body.length,
      "x-exit-code": exit_code,
      "x-stderr-bytes": Buffer.byteLength(written),
    },
  };
}

/** Gives the same object for the same variables, so that others can remember what follows from them. */
function environmentReader(): (bytes: Buffer) => NodeJS.ProcessEnv {
  const known = new Map<string, NodeJS.ProcessEnv>();
  return (bytes) => {
    const key = bytes.toString("latin1");
    const found = known.get(key) ?? environmentOf(bytes.toString("utf8"));
    // The last used come last, and the first is dropped.
    known.delete(key);
    known.set(key, found);
    const [oldest] = known.keys();
    if (known.size > REMEMBERED && oldest !== undefined) known.delete(oldest);
    return found;
  };
}

function environmentOf(text: string): NodeJS.ProcessEnv {
  const entries = text.split("\0").flatMap((entry) => {
    const at = entry.indexOf("=");
    return at <= 0 ? [] : [[entry.slice(0, at), entry.slice(at + 1)] as const];
  });
  return Object.fromEntries(entries);
}
