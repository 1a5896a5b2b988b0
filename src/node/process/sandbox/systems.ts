import { execFile } from "node:child_process";
import { join } from "node:path";
import { ProgramError } from "../program-error.ts";
import { gitEntry, protectedPaths } from "./protected-paths.ts";

/** The input of each sandbox; all paths are resolved. */
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
 * Separate namespaces for everything except folders: processes, shared memory, the host name. No capabilities: root
 * would keep them and could take the sandbox apart.
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

/** The file system read-only, with its own devices, processes and a temporary /tmp. */
const FILES = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"];

/** The arguments of `bwrap`. */
export function bubblewrap({
  file,
  args,
  cwd,
  home,
  mode,
  workspace,
  network,
}: SandboxPlan): readonly string[] {
  // The private /tmp would hide a workspace inside /tmp.
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

/** The mounts that make the workspace writable, except for protected paths. */
function writing(workspace: readonly string[], home: string): readonly string[] {
  const { readOnly, parents } = protectedPaths(workspace, home);
  // Only what exists can be mounted. An empty hooks folder in .git is harmless; elsewhere it would be litter.
  const hooks = workspace.flatMap((folder) =>
    gitEntry(folder) === "folder" ? ["--dir", join(folder, ".git/hooks")] : [],
  );
  return [
    ...workspace.flatMap((folder) => ["--bind", folder, folder]),
    // A mount can't be moved. Missing ones are skipped.
    ...parents.flatMap((path) => ["--bind-try", path, path]),
    ...hooks,
    ...readOnly.flatMap((path) => ["--ro-bind-try", path, path]),
  ];
}

/** Only success is remembered: what does not work may be repaired. */
const working = new Map<string, Promise<void>>();

/**
 * Checks whether `bwrap` works: it may be installed where namespaces are forbidden.
 *
 * @throws ProgramError with bwrap's message.
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
      const problem = stderr.trim().split("\n")[0] || error.message;
      reject(
        new ProgramError(
          "missing",
          `The sandbox is not available: bwrap can't make one on this machine (${problem}). Allow user namespaces, or set sandbox: { mode: off }.`,
        ),
      );
    });
  });
}

/** What every program may do; the rest of the profile restricts it. */
const BASE = [
  "(version 1)",
  "(allow default)",
  "(deny file-write*)",
  '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (literal "/dev/stdout") (literal "/dev/stderr"))',
];

/** The arguments of macOS's `sandbox-exec`. Later rules of a profile override earlier ones. */
export function seatbelt({ file, args, home, mode, workspace, network }: SandboxPlan): readonly string[] {
  const folders = mode === "workspace-write" ? workspace : [];
  const { readOnly, parents } = protectedPaths(folders, home);
  const profile = [
    ...BASE,
    ...folders.map((folder) => `(allow file-write* (subpath ${JSON.stringify(folder)}))`),
    ...parents.map((path) => `(deny file-write-unlink (literal ${JSON.stringify(path)}))`),
    ...readOnly.map((path) => `(deny file-write* (subpath ${JSON.stringify(path)}))`),
    ...(network ? [] : ["(deny network*)"]),
  ];
  return ["-p", profile.join("\n"), file, ...args];
}
