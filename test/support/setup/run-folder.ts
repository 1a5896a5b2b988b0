import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** A folder for what several test files use, such as programs. It is removed after the run. */
    readonly sharedFolder: string;
  }
}

/**
 * Gives the run a temporary folder of its own, which every test and every program it starts has as `TMPDIR`, and a
 * shared one. At the end the run fails when a test has left something in the temporary folder.
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
  // So that programs find the packages their sources use.
  symlinkSync(fileURLToPath(new URL("../../../node_modules", import.meta.url)), join(shared, "node_modules"));
  process.env.TMPDIR = temporary;
  // Tests reach only this machine, and Node reads these certificates at every start.
  delete process.env.NODE_EXTRA_CA_CERTS;
  project.provide("sharedFolder", shared);
  return () => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    const left = readdirSync(temporary, { recursive: true, encoding: "utf8" });
    rmSync(folder, { recursive: true, force: true });
    if (left.length === 0) return;
    console.error(`Tests left something in their temporary folder:\n${left.slice(0, 20).join("\n")}`);
    process.exitCode = 1;
  };
}
