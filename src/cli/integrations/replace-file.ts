import { readFile } from "node:fs/promises";
import { writeAtomically } from "../../node/files/atomic-write.ts";
import { systemCode } from "../../node/system-code.ts";
import type { Invocation } from "../command-line/command.ts";
import { shortPath } from "../command-line/screen/text.ts";
import { writeBackup } from "./settings-changes.ts";

/**
 * Writes a file of the user's. One that is there already is stored in the state folder first.
 *
 * @param mode permissions of a new file.
 * @returns the path of the copy; `undefined` when there was no file, or nothing changes.
 * @throws the file system's error; TenterhookError `state_unwritable` when there can be no copy.
 */
export async function replaceFile(
  file: string,
  text: string,
  { environment }: Pick<Invocation, "environment">,
  mode = 0o644,
): Promise<string | undefined> {
  const before = await readFile(file).catch((error: unknown) => {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  });
  const isNew = before === undefined || before.equals(Buffer.from(text));
  const backup = isNew ? undefined : await writeBackup(file, before, environment);
  await writeAtomically(file, text, { keep: true, mode });
  return backup;
}

/** The lines that say where a file is as it was before. */
export function asItWas(
  { screen, cwd }: Pick<Invocation, "screen" | "cwd">,
  ...backups: readonly (string | undefined)[]
): readonly string[] {
  return backups.flatMap((backup) =>
    backup === undefined ? [] : [screen.paint.dim(`  as it was: ${shortPath(backup, cwd)}`)],
  );
}
