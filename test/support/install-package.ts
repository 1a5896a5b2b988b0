import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "../../src/core/base/json.ts";

const MOST_MILLISECONDS = 9 * 60_000;

/** A program that npm installs, in the version the tests are written for. */
export interface PackagedProgram {
  readonly package: string;
  readonly version: string;
  /** The file that is started, below the folder it is installed into. */
  readonly program: string;
  /** Packages that it needs besides, with their versions. */
  readonly also?: readonly string[];
  /** True for a package that has all it needs in a bundle: it is unpacked into `alone`, and nothing that it depends on is installed. */
  readonly alone?: true;
}

/** The folder of a package that is unpacked. */
export function unpackedFolder(name: string): string {
  return join("alone", ...name.split("/"));
}

/** True when the program is there in that version. */
export function isInstalled(
  { package: name, version, program, alone }: PackagedProgram,
  folder: string,
): boolean {
  try {
    const place = alone === true ? unpackedFolder(name) : join("node_modules", name);
    const manifest: unknown = JSON.parse(readFileSync(join(folder, place, "package.json"), "utf8"));
    // Some packages of Node write v20.19.0.
    const found = isRecord(manifest) ? String(manifest.version).replace(/^v/, "") : undefined;
    return found === version && existsSync(join(folder, program));
  } catch {
    return false;
  }
}

/**
 * Installs a program into a folder, without install scripts.
 *
 * @throws Error that says why not, in a sentence.
 */
export function installPackage(
  row: PackagedProgram,
  folder: string,
  { environment = process.env, options = [] }: { environment?: NodeJS.ProcessEnv; options?: string[] } = {},
): void {
  const what = `${row.package}@${row.version}`;
  const installed = [...(row.alone === true ? [] : [what]), ...(row.also ?? [])];
  const run = (program: string, args: readonly string[], cwd = folder): void =>
    void execFileSync(program, args, {
      cwd,
      env: environment,
      stdio: ["ignore", "inherit", "pipe"],
      timeout: MOST_MILLISECONDS,
    });
  try {
    mkdirSync(folder, { recursive: true });
    const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error", ...options];
    if (installed.length > 0) run("npm", ["install", ...quiet, "--prefix", folder, ...installed]);
    if (row.alone === true) unpack(what, join(folder, unpackedFolder(row.package)), run);
  } catch (error) {
    throw new Error(reasonOf(error), { cause: error });
  }
  if (!isInstalled(row, folder))
    throw new Error(`npm installed no program for ${process.platform}-${process.arch} in that version.`);
}

function unpack(
  what: string,
  folder: string,
  run: (program: string, args: readonly string[], cwd: string) => void,
): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  run("npm", ["pack", what, "--silent", "--loglevel", "error"], folder);
  const [archive = ""] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  run("tar", ["-xzf", archive, "--strip-components=1"], folder);
  rmSync(join(folder, archive));
}

function reasonOf(error: unknown): string {
  const stderr = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : "";
  const [first] = stderr.split("\n").filter((line) => line.startsWith("npm error") && !/ code /.test(line));
  if (first !== undefined) return `${first}.`;
  return `${error instanceof Error ? (error.message.split("\n")[0] ?? "") : error}.`;
}
