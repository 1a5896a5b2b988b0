import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { checkFile } from "../../config/check-file.ts";
import { ConfigError, grantTrust, reviewTrust, type TrustItem } from "../../config.ts";
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
 * @throws ConfigError with what is wrong.
 */
export async function writeChecked(
  { file, before, after }: ConfigEdit,
  { cwd, environment, signal }: Place,
): Promise<string | undefined> {
  if (before === after) return undefined;
  const { problems } = await checkFile(file, cwd, { text: after, signal });
  if (problems.length > 0) throw new ConfigError(problems);
  const backup = existsSync(file) ? await writeBackup(file, before, environment) : undefined;
  makeFolders(dirname(file), 0o777);
  await writeAtomically(file, after, { keep: true, mode: 0o644 });
  return backup;
}

/** Trusts what this user has just changed, and nothing else. */
export async function trustChanged(
  { cwd, environment, signal }: Place,
  isChanged: (item: TrustItem) => boolean,
): Promise<void> {
  const review = await reviewTrust({ cwd, environment, signal });
  const only = review.items.filter(isChanged).map(({ id }) => id);
  if (only.length > 0) await grantTrust(review, { environment, only });
}
