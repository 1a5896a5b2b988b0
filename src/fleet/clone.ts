import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { TenterhookError } from "../core/base/errors.ts";
import { makeFolders } from "../node/files/folders.ts";
import type { Postgres } from "../node/postgres/open-postgres.ts";
import { childEnvironment } from "../node/process/environment.ts";
import { runProgram } from "../node/process/run-program.ts";
import type { RunResult, TakenRun } from "./run.ts";

const MOST_OUTPUT_BYTES = 100_000;
const MOST_PATCH_BYTES = 4_000_000;
/** How long the clone of a run that may be retried, or whose patch is not whole, stays after its end. */
const KEPT = "interval '7 days'";
/** A clone that is being made, or removed. */
const UNFINISHED = /\.(?:new|gone|git-\w+)$/;

interface GitOptions {
  readonly most?: number;
  readonly variables?: NodeJS.ProcessEnv;
}

export interface Clone {
  readonly folder: string;
  /** False when an earlier attempt on this machine has worked in it. */
  readonly isNew: boolean;
  /**
   * What changed since the clone was made; `clone` when that is too much for a patch. Git reads a configuration of our own for it:
   * the agent may have written programs into that of the clone.
   */
  changes(): Promise<Pick<RunResult, "branch" | "patch" | "clone">>;
}

/**
 * Clones the repository of a run, on a branch of its own; or finds the clone of the last attempt.
 *
 * @param isOurs whether the last attempt was on this machine: an older clone lacks what was done elsewhere since.
 * @throws TenterhookError `store_failed` when git fails; `invalid_option` when the repository has no such revision.
 */
export async function cloneFor(
  { run_id, repo = "", ref = "HEAD" }: TakenRun,
  folder: string,
  { isOurs, environment }: { readonly isOurs: boolean; readonly environment: NodeJS.ProcessEnv },
  signal: AbortSignal,
): Promise<Clone> {
  const branch = `tenterhook/${run_id}`;
  /** What git prints; `undefined` when that is too much. */
  const git = async (
    cwd: string,
    args: readonly string[],
    { most = MOST_OUTPUT_BYTES, variables = {} }: GitOptions = {},
  ) => {
    const { exit_code, stdout, stderr, stdout_truncated } = await runProgram({
      file: "git",
      args: ["-c", "protocol.ext.allow=never", ...args],
      cwd,
      environment: { ...gitEnvironment(environment), ...variables },
      signal,
      maxOutputBytes: most,
    });
    if (stdout_truncated) return undefined;
    if (exit_code === 0) return stdout.toString();
    const why = stderr.toString().trim();
    if (/couldn't find remote ref/.test(why))
      throw new TenterhookError("invalid_option", `${repo} has no revision ${ref}.`);
    throw new TenterhookError("store_failed", `git ${args[0]} failed for ${repo}: ${why}`, {
      hint: "Check the address and the revision, and that this machine may read the repository.",
    });
  };
  if (!isOurs && existsSync(folder)) removeClone(folder);
  const isNew = !existsSync(folder);
  if (isNew) {
    // A clone that was cut off must not look like one that is whole.
    const begun = `${folder}.new`;
    rmSync(begun, { recursive: true, force: true });
    makeFolders(dirname(folder));
    await git(dirname(folder), ["clone", "--quiet", "--no-checkout", "--", repo, begun]);
    await git(begun, ["fetch", "--quiet", "origin", "--", ref]);
    await git(begun, ["checkout", "--quiet", "-b", branch, "FETCH_HEAD"]);
    await git(begun, ["tag", `tenterhook-base-${run_id}`]);
    renameSync(begun, folder);
  }
  return {
    folder,
    isNew,
    async changes() {
      const base = (await git(folder, ["rev-parse", `tenterhook-base-${run_id}^{commit}`]))?.trim() ?? "";
      const own = mkdtempSync(`${folder}.git-`);
      try {
        const variables = { GIT_DIR: own, GIT_WORK_TREE: folder };
        await git(folder, ["init", "--quiet"], { variables });
        const objects = { ...variables, GIT_OBJECT_DIRECTORY: join(folder, ".git/objects") };
        await git(folder, ["read-tree", base], { variables: objects });
        await git(folder, ["add", "--all"], { variables: objects });
        const diff = ["diff", "--cached", "--binary", "--no-ext-diff", "--no-textconv", base];
        const patch = await git(folder, diff, { most: MOST_PATCH_BYTES, variables: objects });
        if (patch === undefined) return { branch, clone: folder };
        return { branch, ...(patch === "" ? {} : { patch }) };
      } finally {
        rmSync(own, { recursive: true, force: true });
      }
    },
  };
}

/** Whether this machine reaches a repository. Never rejects. */
export async function reachesRepository(
  repo: string,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<boolean> {
  const { exit_code } = await runProgram({
    file: "git",
    args: ["-c", "protocol.ext.allow=never", "ls-remote", "--quiet", "--", repo, "HEAD"],
    cwd: "/",
    environment: gitEnvironment(environment),
    signal,
    maxOutputBytes: MOST_OUTPUT_BYTES,
  }).catch(() => ({ exit_code: null }));
  return exit_code === 0;
}

/** It asks for nothing, and says what we know. */
function gitEnvironment(environment: NodeJS.ProcessEnv) {
  return { ...childEnvironment(environment), GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" };
}

/**
 * Removes the clones on this machine that nobody needs: of runs that are done, once their patch is stored, and of others a week
 * after their end. Those of runs that the database does not know stay.
 *
 * @throws what the database throws; the file system's error.
 */
export async function tidyClones(database: Postgres, clones: string): Promise<void> {
  const names = readdirSync(clones, { withFileTypes: true }).flatMap((one) =>
    one.isDirectory() ? one.name : [],
  );
  if (names.length === 0) return;
  const rows = await database.query<{ readonly run: string }>(
    `SELECT run FROM tenterhook.runs WHERE run = ANY ($1::text[]) AND (ended_at < now() - ${KEPT}
       OR (state = 'done' AND strpos(coalesce(result, ''), '"clone":') = 0))`,
    [names.map((name) => name.replace(UNFINISHED, ""))],
  );
  const over = new Set(rows.map(({ run }) => run));
  for (const name of names) if (over.has(name.replace(UNFINISHED, ""))) removeClone(join(clones, name));
}

/** Removes a clone. What was cut off must not look like one that is whole. */
function removeClone(folder: string): void {
  const gone = `${folder.replace(UNFINISHED, "")}.gone`;
  rmSync(gone, { recursive: true, force: true });
  if (gone === folder) return;
  renameSync(folder, gone);
  rmSync(gone, { recursive: true, force: true });
}
