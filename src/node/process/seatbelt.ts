import type { SandboxPlan } from "./sandbox.ts";

/** What every program may do; the rest of the profile narrows it. */
const BASE = [
  "(version 1)",
  "(allow default)",
  "(deny file-write*)",
  '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (literal "/dev/stdout") (literal "/dev/stderr"))',
];

/** What stays as it is inside a workspace that may be written. */
const KEPT_IN_WORKSPACE = [".tenterhook", ".agent", ".claude", ".git/hooks"];

/** The arguments of macOS's `sandbox-exec` for a program. Later rules of a profile win over earlier ones. */
export function seatbelt({ file, args, mode, workspace, network }: SandboxPlan): readonly string[] {
  const folders = mode === "workspace-write" ? workspace : [];
  const profile = [
    ...BASE,
    ...folders.map((folder) => `(allow file-write* (subpath ${JSON.stringify(folder)}))`),
    ...folders.flatMap((folder) =>
      KEPT_IN_WORKSPACE.map((name) => `(deny file-write* (subpath ${JSON.stringify(`${folder}/${name}`)}))`),
    ),
    ...(network ? [] : ["(deny network*)"]),
  ];
  return ["-p", profile.join("\n"), file, ...args];
}
