import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { needs } from "../../support/needs.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A repository with one commit. */
export function newRepository(): string {
  const cwd = temporaryFolder();
  needs("git");
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], { cwd });
  git("init", "--quiet", "--initial-branch", "main");
  git("commit", "--quiet", "--allow-empty", "-m", "first");
  return cwd;
}

/** The clones on this machine. */
export function clonesIn({ XDG_STATE_HOME }: NodeJS.ProcessEnv): readonly string[] {
  return readdirSync(`${XDG_STATE_HOME}/tenterhook-fleet`);
}
