import { join } from "node:path";

/** What stays as it is inside a workspace that may be written: what decides over commands, and what git runs. */
const IN_WORKSPACE = [".tenterhook", ".agent", ".claude", ".git/hooks"];

/** What stays as it is in the home, also when a workspace holds it: keys, and what runs when the user logs in. */
const IN_HOME = [
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".kube",
  ".docker",
  ".config",
  ".netrc",
  ".npmrc",
  ".pypirc",
  ".gitconfig",
  ".git-credentials",
  ".bashrc",
  ".bash_profile",
  ".profile",
  ".zshrc",
  ".zshenv",
];

/** The paths inside writable folders that a sandbox keeps from being written. */
export function keptPaths(workspace: readonly string[], home: string): readonly string[] {
  return [
    ...workspace.flatMap((folder) => IN_WORKSPACE.map((name) => join(folder, name))),
    ...IN_HOME.map((name) => join(home, name)).filter((path) =>
      workspace.some((folder) => path.startsWith(join(folder, "/"))),
    ),
  ];
}
