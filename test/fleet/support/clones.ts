import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { needs } from "../../support/needs.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A repository with one commit. */
export function newRepository(): string {
  const cwd = temporaryFolder();
  needs("git");
  git(cwd, "init", "--quiet", "--initial-branch", "main");
  git(cwd, "commit", "--quiet", "--allow-empty", "-m", "first");
  return cwd;
}

/** Commits a file to a repository. */
export function commitTo(repository: string, path: string, content: string): void {
  const file = join(repository, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  git(repository, "add", path);
  git(repository, "commit", "--quiet", "-m", "next");
}

function git(cwd: string, ...args: readonly string[]): void {
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], { cwd });
}

/** The clones on this machine. */
export function clonesIn({ XDG_STATE_HOME }: NodeJS.ProcessEnv): readonly string[] {
  return readdirSync(`${XDG_STATE_HOME}/tenterhook-fleet`);
}
