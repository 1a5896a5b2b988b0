import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, inject } from "vitest";
import { endProcess, eventually, isAlive, processesWith } from "../../support/processes.ts";
import { mustBeBuilt, ROOT } from "./files.ts";
import { type Ended, run } from "./run.ts";

/** A user's project with the packed package in it. */
export interface PackedProject {
  readonly folder: string;
  /** Writes files by their path in the project. */
  write(files: Readonly<Record<string, string>>): void;
  /** Runs a program in the project. */
  run(program: string, ...args: readonly string[]): Promise<Ended>;
  /** Deletes the project. */
  remove(): void;
}

/** Packs the package, once for all tests of a run, and returns the tarball. */
export async function packedPackage(): Promise<string> {
  mustBeBuilt();
  const shared = inject("sharedFolder");
  const tarball = join(shared, "tenterhook.tgz");
  const folder = join(shared, "pack");
  const failure = join(shared, "pack-failure.txt");
  // Other workers wait for the first one, and fail with it.
  if (!isFirst(folder)) {
    await eventually(() => expect([tarball, failure].some((path) => existsSync(path))).toBe(true), 120_000);
    if (existsSync(failure)) throw new Error(readFileSync(failure, "utf8"));
    return tarball;
  }
  try {
    const packed = await run(ROOT, "npm", "pack", "--json", "--ignore-scripts", "--pack-destination", folder);
    expect(packed).toEqual({ code: 0, output: expect.any(String) });
    const [name = "nothing was packed"] = readdirSync(folder);
    renameSync(join(folder, name), tarball);
    return tarball;
  } catch (error) {
    writeFileSync(failure, `The package could not be packed: ${error}`);
    throw error;
  }
}

function killIfAlive(pid: number): void {
  try {
    endProcess(pid);
  } catch (error) {
    // It has ended by itself.
    if (isAlive(pid)) throw error;
  }
}

/** Makes a folder. False when another process has made it before. */
function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if (existsSync(folder)) return false;
    throw error;
  }
}

/**
 * Unpacks the packed package into a project of its own, as npm would, alone.
 *
 * @param others more packages of this repository that the project has, by the name it has them under.
 */
export async function packedProject(others: Readonly<Record<string, string>> = {}): Promise<PackedProject> {
  const tarball = await packedPackage();
  const project = emptyProject();
  const installed = join(project.folder, "node_modules/tenterhook");
  mkdirSync(installed, { recursive: true });
  const unpacked = await project.run("tar", "-xzf", tarball, "--strip-components=1", "-C", installed);
  expect(unpacked).toEqual({ code: 0, output: "" });
  for (const [name, target] of Object.entries(others)) {
    const link = join(project.folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", target), link);
  }
  return project;
}

/** A user's project with nothing in it. */
export function emptyProject(): PackedProject {
  const folder = mkdtempSync(join(tmpdir(), "tenterhook-packed-"));
  const write: PackedProject["write"] = (files) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  };
  write({ "package.json": JSON.stringify({ private: true, type: "module" }) });
  return {
    folder,
    write,
    run: (program, ...args) => run(folder, program, ...args),
    remove: () => {
      // A daemon that a command has started would write there again.
      for (const pid of processesWith(folder)) killIfAlive(pid);
      rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}
