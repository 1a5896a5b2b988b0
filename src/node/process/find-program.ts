import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { notThere } from "./program-error.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Finds a program as the system does: by its path (relative to `cwd`) or on the PATH of these variables. Returns
 * `undefined` when there is no executable one.
 */
export function findProgram(file: string, cwd: string, environment: Variables): string | undefined {
  return candidates(file, cwd, environment).find(mayRun);
}

/** Why a program can't be started, as a sentence; `undefined` when it can. */
export function programProblem(file: string, cwd: string, environment: Variables): string | undefined {
  const found = candidates(file, cwd, environment);
  if (found.some(mayRun)) return undefined;
  const there = found.find(isFile);
  return there === undefined
    ? notThere(file)
    : `${there} may not be executed: make it executable (chmod +x), or name it as a script.`;
}

function candidates(file: string, cwd: string, { PATH = "/usr/local/bin:/usr/bin:/bin" }: Variables) {
  if (file.includes("/")) return [resolve(cwd, file)];
  return PATH.split(delimiter).map((folder) => resolve(cwd, join(folder, file)));
}

export function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function mayRun(path: string): boolean {
  if (!isFile(path)) return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
