import type { PathNormaliser } from "../ports.ts";

/** An absolute path with `.` and `..` resolved by its text alone; `\` counts as `/` after a drive letter. */
export function resolvePath(path: string, cwd: string): string {
  const drive = /^[A-Za-z]:[\\/]/.test(path);
  const text = drive ? path.replaceAll("\\", "/") : path;
  const absolute = drive || text.startsWith("/") ? text : `${cwd}/${text}`;
  const kept: string[] = [];
  for (const part of absolute.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") kept.pop();
    else kept.push(part);
  }
  return drive ? kept.join("/") : `/${kept.join("/")}`;
}

/** Paths without a file system: nothing is known of links or homes. */
export const lexicalPaths: PathNormaliser = {
  spellings: (path, cwd) => [resolvePath(path, cwd)],
};
