import { lstat } from "node:fs/promises";
import type { FoundFile } from "./walk.ts";

const TOGETHER = 32;

/** The files with the one changed last first; those of the same time by name. */
export async function newestFirst<File extends FoundFile>(
  files: readonly File[],
  signal: AbortSignal,
): Promise<readonly File[]> {
  const timed: { readonly file: File; readonly time: number }[] = [];
  for (let at = 0; at < files.length; at += TOGETHER) {
    signal.throwIfAborted();
    timed.push(...(await Promise.all(files.slice(at, at + TOGETHER).map(withTime))));
  }
  timed.sort((one, other) => other.time - one.time || (one.file.name < other.file.name ? -1 : 1));
  return timed.map(({ file }) => file);
}

async function withTime<File extends FoundFile>(file: File) {
  try {
    return { file, time: (await lstat(file.path)).mtimeMs };
  } catch {
    return { file, time: 0 };
  }
}
