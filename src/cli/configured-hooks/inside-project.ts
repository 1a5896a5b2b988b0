import { dirname } from "node:path";
import { TenterhookError } from "../../core/base/errors.ts";
import { isInside, realPath } from "../../node/files/real-path.ts";

/**
 * Ensures that a file is inside the project: a repository may contain links to any file of the user's.
 *
 * @throws TenterhookError `write_failed` with the file's real path.
 */
export function mustStayInside(project: string, file: string): void {
  const real = leadsOutOf(project, file);
  if (real === undefined) return;
  throw new TenterhookError(
    "write_failed",
    `${file} leads out of the project, to ${real}; nothing was written.`,
    {
      hint: "Replace the link by a file, or edit its target yourself.",
    },
  );
}

/**
 * The real path of a file when links lead it out of a folder; `undefined` when it stays inside. For a missing file its
 * nearest existing parent counts.
 */
function leadsOutOf(folder: string, file: string): string | undefined {
  const root = realPath(folder);
  for (let path = file; ; path = dirname(path)) {
    const real = realPath(path);
    if (real !== undefined) return root !== undefined && isInside(real, root) ? undefined : real;
    if (path === dirname(path)) return path;
  }
}
