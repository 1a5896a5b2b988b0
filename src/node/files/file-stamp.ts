import { statSync } from "node:fs";

/** Changes whenever one of the files does. */
export function stampOf(files: readonly string[]): string {
  return files.map(stampOfFile).join(" ");
}

function stampOfFile(file: string): string {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(":");
  } catch {
    return "none";
  }
}
