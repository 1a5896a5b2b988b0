import { join } from "node:path";
import { type Claimed, claimedBy, claimFile } from "../../node/files/claim-file.ts";
import { makePrivateFolder, tidy } from "../../node/files/folders.ts";
import { stateFolder } from "../../node/user-folders.ts";

/** A claim outlives its action, so that nobody does the action again. */
const TIDIED = { milliseconds: 7 * 24 * 60 * 60 * 1000, bytes: 1_000_000 };

/**
 * Claims an action for this process: of all processes that try, one does it, and none again when that one is killed.
 *
 * @throws the file system's error.
 */
export function claimAction(id: string, environment: NodeJS.ProcessEnv): boolean {
  const folder = claimsFolder(environment);
  makePrivateFolder(folder);
  tidy(folder, TIDIED);
  const claim = claimFile(join(folder, id));
  claim?.write("begun");
  return claim !== undefined;
}

export function claimOn(id: string, environment: NodeJS.ProcessEnv): Claimed | undefined {
  return claimedBy(join(claimsFolder(environment), id));
}

function claimsFolder(environment: NodeJS.ProcessEnv): string {
  return join(stateFolder(environment), "monitor", "actions");
}
