import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makePrivateFolder } from "../../node/files/make-folders.ts";
import { tidy } from "../../node/files/tidy.ts";
import { systemCode } from "../../node/system-code.ts";
import { stateFolder } from "../../node/user-folders.ts";

/** A claim outlives its action, so that nobody does the action again. */
const TIDIED = { milliseconds: 7 * 24 * 60 * 60 * 1000, bytes: 1_000_000, concerns: isClaim };

/**
 * Claims an action for this process: of all processes that try, one does it.
 *
 * @throws the file system's error.
 */
export function claimAction(id: string, environment: NodeJS.ProcessEnv): boolean {
  const folder = claimsFolder(environment);
  makePrivateFolder(folder);
  tidy(folder, TIDIED);
  try {
    writeFileSync(join(folder, id), String(process.pid), { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** The process that has claimed an action, and when, in milliseconds. */
export function claimOf(
  id: string,
  environment: NodeJS.ProcessEnv,
): { readonly pid: number; readonly time: number } | undefined {
  const file = join(claimsFolder(environment), id);
  try {
    return { pid: Number(readFileSync(file, "utf8")), time: statSync(file).mtimeMs };
  } catch {
    return undefined;
  }
}

function claimsFolder(environment: NodeJS.ProcessEnv): string {
  return join(stateFolder(environment), "monitor", "actions");
}

function isClaim(name: string): boolean {
  return name !== ".tidied";
}
