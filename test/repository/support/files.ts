import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** The project's folder. */
export const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** The files below a folder of the project, by path from its root, in order. */
export function filesBelow(folder: string, ending: RegExp): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length).replaceAll("\\", "/"))
    .filter((path) => !path.includes("node_modules/"))
    .sort();
}

/** The text of a file of the project. */
export function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** Bytes on disk of a folder, in blocks as file systems have them. */
export function bytesBelow(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sum + bytesBelow(path);
    return sum + Math.ceil(statSync(path).size / 4096) * 4096;
  }, 4096);
}

/** A folder that is gone when the test has ended. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tenterhook-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Makes sure that `dist` is what the sources say, as `npm test` leaves it.
 *
 * @throws Error with the way out when it is missing or older than a source.
 */
export function mustBeBuilt(): void {
  const built = modified("dist/tenterhook.cjs");
  const newer = filesBelow("src", /\.tsx?$/).find((file) => modified(file) > built);
  if (newer !== undefined) throw new Error(`dist is missing or older than ${newer}: run npm run build.`);
}

function modified(path: string): number {
  return statSync(join(ROOT, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
