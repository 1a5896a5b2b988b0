import { accessSync, constants, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorMessage } from "../../../../core/base/error-text.ts";
import { stateFolder } from "../../../../node/user-folders.ts";
import type { Finding } from "./finding.ts";

/** What of ours is kept in the state folder, each in a folder of its own. */
const PARTS = ["trust", "journal", "once", "last-good"];

/** Tells when what was decided and trusted can't be kept; nothing when it can. */
export function stateFindings(environment: NodeJS.ProcessEnv): readonly Finding[] {
  const folder = stateFolder(environment);
  for (const path of [folder, ...PARTS.map((part) => join(folder, part))]) {
    try {
      accessSync(nearestOf(path), constants.R_OK | constants.W_OK | constants.X_OK);
    } catch (error) {
      const message = `${path} can't be used (${errorMessage(error)}): trust is not kept, nothing is written down, Stop hooks keep no turn going and once hooks are asked each time. Make it readable and writable for this user, or set XDG_STATE_HOME to a folder that is.`;
      return [{ level: "error", about: "state", message }];
    }
  }
  return [];
}

/** What is there of a path: below it the rest would be made. */
function nearestOf(path: string): string {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status?.isDirectory() === true) return path;
  if (status !== undefined) throw new Error(`${path} is no folder`);
  return nearestOf(dirname(path));
}
