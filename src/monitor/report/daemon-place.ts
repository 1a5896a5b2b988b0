import { createHash } from "node:crypto";
import { lstatSync, type Stats } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { errorMessage } from "../../core/base/error-text.ts";
import { TenterhookError } from "../../core/base/errors.ts";
import { realPath } from "../../node/files/real-path.ts";
import { stateFolder } from "../../node/user-folders.ts";

/** Where the daemon of a user keeps its files. */
export interface DaemonPlace {
  readonly folder: string;
  readonly socket: string;
  /** Where calls of hooks are decided; absent where its address would be too long. */
  readonly hookSocket?: string;
  readonly database: string;
  /** Held by the process that is the daemon. */
  readonly lock: string;
  /** Says how the daemon is reached. */
  readonly info: string;
  /** The key to its HTTP address. */
  readonly token: string;
  readonly log: string;
  /** Has the port of its HTTP address, for the next daemon. */
  readonly port: string;
}

/** Systems cut or refuse the address of a socket that is longer. */
const LONGEST_ADDRESS = 100;

export function daemonPlace(environment: NodeJS.ProcessEnv): DaemonPlace {
  const folder = join(withoutLinks(stateFolder(environment)), "monitor");
  const hookSocket = join(folder, "hook.sock");
  return {
    folder,
    socket: socketIn(folder),
    ...(fits(hookSocket) ? { hookSocket } : {}),
    database: join(folder, "monitor.sqlite"),
    lock: join(folder, "daemon.lock"),
    info: join(folder, "daemon.json"),
    token: join(folder, "token"),
    log: join(folder, "daemon.log"),
    port: join(folder, "port"),
  };
}

/**
 * Checks that nobody else can have made a folder: a socket in the system's temporary folder could be another user's.
 *
 * @throws TenterhookError `monitor_unreachable`.
 */
export function mustBeOwn(folder: string): void {
  const status = statusOf(folder);
  if (status === undefined) return;
  if (!status.isDirectory())
    throw new TenterhookError("monitor_unreachable", `${folder} is not a folder.`, {
      hint: "Move it away, or set XDG_STATE_HOME to another folder.",
    });
  const uid = process.getuid?.();
  if (uid !== undefined && status.uid !== uid)
    throw new TenterhookError("monitor_unreachable", `${folder} belongs to another user.`, {
      hint: "Set XDG_STATE_HOME to a folder of yours with a shorter name.",
    });
}

function statusOf(folder: string): Stats | undefined {
  try {
    return lstatSync(folder, { throwIfNoEntry: false });
  } catch (cause) {
    throw new TenterhookError("monitor_unreachable", `${folder} can't be read: ${errorMessage(cause)}.`, {
      hint: "Set XDG_STATE_HOME to a folder of yours.",
      cause,
    });
  }
}

/** The one name of a folder that may not be there yet: whoever reaches it through a link means the same daemon. */
function withoutLinks(folder: string): string {
  const parent = dirname(folder);
  return realPath(folder) ?? (parent === folder ? folder : join(withoutLinks(parent), basename(folder)));
}

function fits(address: string): boolean {
  return Buffer.byteLength(address) <= LONGEST_ADDRESS;
}

function socketIn(folder: string): string {
  const usual = join(folder, "daemon.sock");
  if (fits(usual)) return usual;
  const name = createHash("sha256").update(folder).digest("hex").slice(0, 16);
  return join(tmpdir(), `tenterhook-${process.getuid?.() ?? "user"}-${name}`, "daemon.sock");
}
