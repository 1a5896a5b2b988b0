import { keptPaths } from "./protected-paths.ts";
import type { SandboxPlan } from "./sandbox.ts";

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
