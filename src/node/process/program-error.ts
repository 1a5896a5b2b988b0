import { statSync } from "node:fs";
import { errorMessage } from "../../core/base/error-text.ts";
import { systemCode } from "../system-code.ts";

/**
 * Why a program was not started: `missing` when the program, its folder or the sandbox is not available, `error` when
 * the system refused for another reason. The message names what is missing.
 */
export class ProgramError extends Error {
  readonly kind: "missing" | "error";

  constructor(kind: "missing" | "error", message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ProgramError";
    this.kind = kind;
  }
}

/**
 * Explains why the system did not start a program: its own error does not tell a missing folder from a missing file.
 */
export function startError(error: unknown, file: string, cwd: string): ProgramError {
  const code = systemCode(error);
  const isFolder = statSync(cwd, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder) return missing(`There is no folder ${cwd} to run ${file} in.`, error);
  if (code === "ENOENT") return missing(notThere(file), error);
  if (code === "EACCES") return missing(`${file} may not be executed: check its permissions.`, error);
  const reason = errorMessage(error);
  return new ProgramError("error", `${file} could not be started: ${reason}`, { cause: error });
}

export function notThere(file: string): string {
  return file.includes("/") ? `There is no program ${file}.` : `There is no program "${file}" on the PATH.`;
}

function missing(message: string, cause: unknown): ProgramError {
  return new ProgramError("missing", message, { cause });
}
