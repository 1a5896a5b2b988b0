import { isUtf8 } from "node:buffer";

/** A call of `tenterhook hook` that the daemon is asked to decide. */
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

/** Like the ids that this package counts, which no shape of a secret looks like. */
const ID = /^call[0-9a-f]{24}-1$/;
/** How many agents' variables are remembered. */
const REMEMBERED = 100;

/**
 * Reads calls as client.sh sends them: the id, the folder and the variables, each ended by a zero byte, one more zero byte,
 * and the payload. `undefined` for anything else.
 */
export function callReader(): (body: Buffer) => HookCall | undefined {
  const known = new Map<string, Variables>();
  const variablesIn = (bytes: Buffer): Variables => {
    const key = bytes.toString("latin1");
    const found = known.get(key) ?? { environment: environmentIn(bytes.toString("utf8")) };
    // The last used come last, and the first is dropped.
    known.delete(key);
    known.set(key, found);
    for (const first of known.keys()) {
      if (known.size <= REMEMBERED) break;
      known.delete(first);
    }
    return found;
  };
  return (body) => {
    const idEnd = body.indexOf(0);
    const cwdEnd = body.indexOf(0, idEnd + 1);
    const end = body.indexOf("\0\0", cwdEnd + 1);
    // Without variables there is no telling how the agent would have been answered.
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

function environmentIn(text: string): NodeJS.ProcessEnv {
  const entries = text.split("\0").flatMap((entry) => {
    const at = entry.indexOf("=");
    return at <= 0 ? [] : [[entry.slice(0, at), entry.slice(at + 1)] as const];
  });
  return Object.fromEntries(entries);
}
