import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { checkFile } from "../../config/check-file.ts";
import { ConfigError, grantTrust, type LoadOptions, reviewTrust } from "../../config.ts";
import { TenterhookError } from "../../core/base/errors.ts";
import { writeBackup } from "../../install/change-files.ts";
import { writeAtomically } from "../../node/files/atomic-write.ts";
import { makeFolders } from "../../node/files/folders.ts";
import type { Place } from "./load-hooks.ts";

export interface ConfigEdit {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

/**
 * Writes a configuration file that loads.
 *
 * @returns the path of the backup; `undefined` when there was no file, or nothing changed.
 * @throws ConfigError with what is wrong; TenterhookError `write_failed` when somebody has changed the file since it was read.
 */
export async function writeChecked(
  { file, before, after }: ConfigEdit,
  { cwd, environment, signal }: Place,
): Promise<string | undefined> {
  if (before === after) return undefined;
  const { problems } = await checkFile(file, cwd, { text: after, signal });
  if (problems.length > 0) throw new ConfigError(problems);
  // A person may have been asked meanwhile, who has seen what the file said before.
  if (textOf(file) !== before)
    throw new TenterhookError("write_failed", `${file} was changed meanwhile; nothing was written.`, {
      hint: "Run the command again.",
    });
  const backup = existsSync(file) ? await writeBackup(file, before, environment) : undefined;
  makeFolders(dirname(file), 0o777);
  await writeAtomically(file, after, { keep: true, mode: 0o644 });
  return backup;
}

/**
 * Writes a change of the user's own, which needs no review: a file that was trusted stays so, and one that was not there
 * is trusted. Any other is as untrusted as before, whatever was changed in it.
 *
 * @param text What the file says afterwards; `undefined` when it is gone. What somebody else writes meanwhile is not trusted.
 */
export async function keepTrusted<Result>(
  file: string,
  text: string | undefined,
  place: LoadOptions,
  write: () => Promise<Result>,
): Promise<Result> {
  const wasTrusted = await isTrustedFile(file, place);
  const result = await write();
  if (!wasTrusted) return result;
  const review = await reviewTrust(place);
  if (textOf(file) !== (text ?? "")) return result;
  const only = review.items.filter((item) => item.file === file).map(({ id }) => id);
  const { environment } = place;
  await grantTrust(review, { only, environment });
  return result;
}

/** Empty for a file that is not there. */
function textOf(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

/** True also for a file that is not there and never was trusted; false while the files can't be read. */
export async function isTrustedFile(file: string, place: LoadOptions): Promise<boolean> {
  try {
    const { items } = await reviewTrust(place);
    return items.every((item) => item.file !== file || item.state === "trusted");
  } catch (error) {
    if (error instanceof ConfigError) return false;
    throw error;
  }
}
