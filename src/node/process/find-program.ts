import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";

/**
 * The path of a program as the system would find it: by itself when it names a folder (relative ones start from `cwd`),
 * else on the PATH of these variables. `undefined` when there is none that may be executed.
 */
export function findProgram(
  file: string,
  cwd: string,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (file.includes("/")) {
    const path = resolve(cwd, file);
    return isProgram(path) ? path : undefined;
  }
  for (const folder of (environment.PATH ?? "/usr/local/bin:/usr/bin:/bin").split(delimiter)) {
    const path = isAbsolute(folder) ? join(folder, file) : resolve(cwd, folder, file);
    if (isProgram(path)) return path;
  }
  return undefined;
}

function isProgram(path: string): boolean {
  try {
    if (!statSync(path).isFile()) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
