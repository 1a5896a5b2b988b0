import { TenterhookError } from "../../core/base/errors.ts";
import { leadsOutOf } from "../../node/files/stays-inside.ts";

/**
 * Makes sure that what is written stays in the project: a repository may bring links to any file of its user's.
 *
 * @throws TenterhookError `write_failed` with where the file really is.
 */
export function mustStayInside(project: string, file: string): void {
  const real = leadsOutOf(project, file);
  if (real === undefined) return;
  throw new TenterhookError(
    "write_failed",
    `${file} leads out of the project, to ${real}; nothing was written.`,
    {
      hint: "Put a file in the place of the link, or edit yourself what it leads to.",
    },
  );
}
