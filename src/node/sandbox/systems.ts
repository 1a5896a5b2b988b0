import { execFile } from "node:child_process";
import { join } from "node:path";
import { ProgramError } from "../process/program-error.ts";
import { gitEntry, keptPaths } from "./protected-paths.ts";

/** What one system's sandbox is told: every path is real, without links. */
export interface SandboxPlan {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly home: string;
  readonly mode: "read-only" | "workspace-write";
  readonly workspace: readonly string[];
  readonly network: boolean;
}

/**
 * Namespaces of its own for everything that needs no folder: processes, shared memory, the host's name. Without
 * capabilities, which root would keep and by which it could take the sandbox apart.
 */
const ALONE = [
  "--die-with-parent",
  "--cap-drop",
  "ALL",
  "--unshare-user-try",
  "--unshare-pid",
  "--unshare-ipc",
  "--unshare-uts",
  "--unshare-cgroup-try",
];

/** The file system, read-only, with devices, processes and a /tmp of its own that is gone afterwards. */
const FILES = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"];

/** The arguments of `bwrap` for a program. */
export function bubblewrap({
  file,
  args,
  cwd,
  home,
  mode,
  workspace,
  network,
}: SandboxPlan): readonly string[] {
  // A workspace inside /tmp would be hidden by the private one.
  const seen = [...workspace, cwd].flatMap((folder) => ["--ro-bind", folder, folder]);
  const writable = mode === "read-only" ? [] : writing(workspace, home);
  return [
    ...ALONE,
    ...(network ? [] : ["--unshare-net"]),
    ...FILES,
    ...seen,
    ...writable,
    "--setenv",
    "TMPDIR",
    "/tmp",
    "--chdir",
    cwd,
    "--",
    file,
    ...args,
  ];
}

/** What is bound so that the workspace can be written, but for what is kept in it. */
function writing(workspace: readonly string[], home: string): readonly string[] {
  const { kept, passed } = keptPaths(workspace, home);
  // Nothing can be bound where there is nothing. An empty folder in git's own is no litter, elsewhere it would be.
  const hooks = workspace.flatMap((folder) =>
    gitEntry(folder) === "folder" ? ["--dir", join(folder, ".git/hooks")] : [],
  );
  return [
    ...workspace.flatMap((folder) => ["--bind", folder, folder]),
    // What is bound can't be moved. One that is not there is passed over.
    ...passed.flatMap((path) => ["--bind-try", path, path]),
    ...hooks,
    ...kept.flatMap((path) => ["--ro-bind-try", path, path]),
  ];
}

/** What a machine can do does not change; what it can't may be repaired, so only success is remembered. */
const working = new Map<string, Promise<void>>();

/**
 * Finds out whether `bwrap` can make a sandbox here: being installed is not enough where namespaces are forbidden.
 *
 * @throws ProgramError with what bwrap says about it.
 */
export function probeBubblewrap(program: string): Promise<void> {
  let probing = working.get(program);
  if (probing === undefined) {
    probing = probe(program);
    working.set(program, probing);
    probing.catch(() => working.delete(program));
  }
  return probing;
}

function probe(program: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const args = [...ALONE, "--unshare-net", ...FILES, "--", "/bin/sh", "-c", ":"];
    execFile(program, args, { timeout: 10_000, env: {} }, (error, _stdout, stderr) => {
      if (error === null) return resolve();
      const said = stderr.trim().split("\n")[0] || error.message;
      reject(
        new ProgramError(
          "missing",
          `The sandbox is not available: bwrap can't make one on this machine (${said}). Allow user namespaces, or set sandbox: { mode: off }.`,
        ),
      );
    });
  });
}

/** What every program may do; the rest of the profile narrows it. */
const BASE = [
  "(version 1)",
  "(allow default)",
  "(deny file-write*)",
  '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (literal "/dev/stdout") (literal "/dev/stderr"))',
];

/** The arguments of macOS's `sandbox-exec` for a program. Later rules of a profile win over earlier ones. */
export function seatbelt({ file, args, home, mode, workspace, network }: SandboxPlan): readonly string[] {
  const folders = mode === "workspace-write" ? workspace : [];
  const { kept, passed } = keptPaths(folders, home);
  const profile = [
    ...BASE,
    ...folders.map((folder) => `(allow file-write* (subpath ${JSON.stringify(folder)}))`),
    ...passed.map((path) => `(deny file-write-unlink (literal ${JSON.stringify(path)}))`),
    ...kept.map((path) => `(deny file-write* (subpath ${JSON.stringify(path)}))`),
    ...(network ? [] : ["(deny network*)"]),
  ];
  return ["-p", profile.join("\n"), file, ...args];
}
