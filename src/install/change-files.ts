import { lstatSync, realpathSync, rmdirSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { SettingsText } from "../adapters/settings/json-edit.ts";
import { filesIn } from "../adapters/settings/owned-folder.ts";
import { errorMessage } from "../core/base/error-text.ts";
import { isTenterhookError, TenterhookError } from "../core/base/errors.ts";
import { unifiedDiff } from "../node/diff.ts";
import { writeAtomically } from "../node/files/atomic-write.ts";
import { makeFolders, makePrivateFolder } from "../node/files/folders.ts";
import { systemCode } from "../node/system-code.ts";
import { stateFolder } from "../node/user-folders.ts";
import type { SettingsFile } from "./settings-files.ts";

export interface ChangedFile {
  readonly file: string;
  readonly before: SettingsText;
  readonly after: SettingsText;
}

/** The one file of settings, or all files of a folder of them. */
export function changedFiles(
  { file, names, text: before }: SettingsFile,
  after: SettingsText,
): readonly ChangedFile[] {
  if (names === undefined) return [{ file, before, after }];
  const [old, next] = [filesIn(before), filesIn(after)];
  return names.map((name) => ({ file: join(file, name), before: old.get(name), after: next.get(name) }));
}

export function settingsDiff(settings: SettingsFile, after: SettingsText): readonly string[] {
  return changedFiles(settings, after).flatMap((one) =>
    unifiedDiff(one.before ?? "", one.after ?? "", [one.file, one.file]),
  );
}

/**
 * Writes settings, each file atomically, and stores backups in the state folder.
 *
 * @returns the path of the first backup; `undefined` when there was no file.
 * @throws TenterhookError `write_failed`, or `state_unwritable` when there can be no backup.
 */
export async function writeSettings(
  settings: SettingsFile,
  after: SettingsText,
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const backups: (string | undefined)[] = [];
  for (const one of changedFiles(settings, after))
    if (one.before !== one.after) backups.push(await writeFile(one, environment));
  return backups.find((backup) => backup !== undefined);
}

async function writeFile(
  { file, before, after }: ChangedFile,
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  try {
    const backup = before === undefined ? undefined : await writeBackup(file, before, environment);
    if (after === undefined) removeFile(file);
    else {
      makeFolders(dirname(file), 0o777);
      await writeAtomically(file, after, { keep: true, mode: 0o644 });
    }
    return backup;
  } catch (cause) {
    if (isTenterhookError(cause)) throw cause;
    throw new TenterhookError("write_failed", `${file} can't be written: ${errorMessage(cause)}.`, { cause });
  }
}

/**
 * Stores a file as it was in the state folder, and returns the path of the copy.
 *
 * @throws TenterhookError `state_unwritable`.
 */
export async function writeBackup(
  file: string,
  text: string | Uint8Array,
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  const stamp = new Date().toISOString().replaceAll(/[-:.]/g, "");
  const name = `${stamp}-${basename(dirname(file))}-${basename(file)}`;
  return writeToState(join(stateFolder(environment), "backups"), name, text);
}

/** Removes a file that contained only our entries, and its folder when it is empty. Follows a link. */
function removeFile(file: string): void {
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  rmSync(isLink ? realpathSync(file) : file, { force: true });
  try {
    rmdirSync(dirname(file));
  } catch {
    // The folder is not empty.
  }
}

/**
 * Writes a private file below the state folder and returns its path.
 *
 * @throws TenterhookError `state_unwritable`.
 */
export async function writeToState(folder: string, name: string, text: string | Uint8Array): Promise<string> {
  const file = join(folder, name);
  try {
    makePrivateFolder(folder);
    await writeAtomically(file, text);
    return file;
  } catch (cause) {
    throw new TenterhookError("state_unwritable", `${file} can't be written: ${errorMessage(cause)}.`, {
      cause,
    });
  }
}

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
  { environment }: { readonly environment: NodeJS.ProcessEnv },
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
