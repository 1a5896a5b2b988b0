import type { PathSyntax } from "../../src/shared/system/file-view.ts";

/** Paths as Linux and macOS write them: what `node:path` does there. */
export const posix: PathSyntax = {
  sep: "/",
  isAbsolute: (path) => path.startsWith("/"),
  resolve(...paths) {
    const from = paths.findLastIndex((path) => path.startsWith("/"));
    return plain(paths.slice(Math.max(from, 0)));
  },
  join: (...paths) => plain(paths),
  parse: (path) => ({ root: path.startsWith("/") ? "/" : "" }),
};

/** What is asked about is absolute, and so is the result. */
function plain(paths: readonly string[]): string {
  const parts: string[] = [];
  for (const part of paths.join("/").split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}
