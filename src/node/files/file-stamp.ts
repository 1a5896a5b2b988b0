import { statSync } from "node:fs";

/** Changes whenever one of the files does. */
export function stampOf(files: readonly string[]): string {
  return files.map(stampOfFile).join(" ");
}

/** Never throws. */
export function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}

function stampOfFile(file: string): string {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(":");
  } catch {
    return "none";
  }
}
