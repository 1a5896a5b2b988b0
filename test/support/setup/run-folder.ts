import { chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** A folder for what several test files use, such as programs. It is removed after the run. */
    readonly sharedFolder: string;
    /** The temporary folder of tests that start no process. */
    readonly unitFolder: string;
    /** The temporary folders of the run, in which tests must leave nothing. */
    readonly temporaryFolders: readonly string[];
  }
}

/** A file system in memory. Programs may not be allowed to run there. */
const MEMORY = "/dev/shm";
const LEAST_BYTES = 1_000_000_000;

/**
 * Gives the run a temporary folder of its own, which tests and the programs they start have as `TMPDIR`, one for tests
 * that start none, and a shared one. They are gone after the run.
 */
export default function makeRunFolders(project: Pick<TestProject, "provide">): () => void {
  const before = process.env.TMPDIR;
  const folder = mkdtempSync(join(tmpdir(), "tenterhook-run-"));
  // One test starts a program for another user, who has to get there.
  chmodSync(folder, 0o755);
  const temporary = join(folder, "tmp");
  const shared = join(folder, "shared");
  for (const path of [temporary, shared]) mkdirSync(path);
  mkdirSync(join(shared, "code"), 0o700);
  // So that programs find the packages their sources use, and what they name of this one.
  for (const name of ["node_modules", "package.json", "schema"])
    symlinkSync(fileURLToPath(new URL(`../../../${name}`, import.meta.url)), join(shared, name));
  process.env.TMPDIR = temporary;
  // Tests reach only this machine, and Node reads these certificates at every start.
  delete process.env.NODE_EXTRA_CA_CERTS;
  project.provide("sharedFolder", shared);
  const memory = folderInMemory();
  project.provide("unitFolder", memory[0] ?? temporary);
  project.provide("temporaryFolders", [temporary, ...memory]);
  return () => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    for (const path of [folder, ...memory]) rmSync(path, { recursive: true, force: true });
  };
}

/** One folder, or no folder where there is no room. Removing files from a disk takes longer than most unit tests. */
function folderInMemory(): readonly string[] {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize < LEAST_BYTES ? [] : [mkdtempSync(join(MEMORY, "tenterhook-run-"))];
  } catch {
    return [];
  }
}
