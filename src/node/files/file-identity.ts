import type { Stats } from "node:fs";

/** Tells a file from others, whatever its name. Numbers of deleted files are used again, so the time of birth belongs to it. */
export function fileIdentity({ dev, ino, birthtimeMs }: Pick<Stats, "dev" | "ino" | "birthtimeMs">): string {
  return `${dev}-${ino}-${birthtimeMs}`;
}
