import { errorMessage } from "../../core/base/error-text.ts";
import { TenterhookError } from "../../core/base/errors.ts";

/** SQLite's codes; their higher bits say more. */
const [CORRUPT, FULL, NOT_A_DATABASE] = [11, 13, 26];

/** An error of SQLite as one that names the file and the way out; any other error as it is. */
export function storeFailure(file: string, cause: unknown): unknown {
  if (!(cause instanceof Error) || !("errcode" in cause) || typeof cause.errcode !== "number") return cause;
  const code = cause.errcode & 0xff;
  const what = errorMessage(cause);
  if (code === CORRUPT || code === NOT_A_DATABASE)
    return new TenterhookError("store_failed", `${file} is damaged: ${what}.`, {
      hint: "Move it away: a new one is created. What was only in it is lost.",
      cause,
    });
  if (code === FULL)
    return new TenterhookError("store_failed", `${file} can't be written: ${what}.`, {
      hint: "Make room on the disk, then try again.",
      cause,
    });
  return new TenterhookError("store_failed", `${file}: ${what}.`, { cause });
}
