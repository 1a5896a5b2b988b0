import { lstatSync, readFileSync, realpathSync, rmdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import type { Bridge, SettingsScope } from "../../adapters/bridge.ts";
import { joinedEvents, type WantedEvent } from "../../adapters/settings.ts";
import type { SettingsText } from "../../adapters/settings-json.ts";
import { discover } from "../../config/find/discover.ts";
import { Inputs } from "../../config/find/inputs.ts";
import { errorMessage } from "../../core/base/error-text.ts";
import { atPlace, isTenterhookError, TenterhookError } from "../../core/base/errors.ts";
import { writeAtomically } from "../../node/files/atomic-write.ts";
import { makeFolders, makePrivateFolder } from "../../node/files/make-folders.ts";
import { homeFolder, stateFolder } from "../../node/user-folders.ts";
import { type Invocation, textOption } from "../command-line/command.ts";

/** The scopes of an agent's settings, those first that count for most people. */
export const SETTINGS_SCOPES: readonly SettingsScope[] = ["project", "user", "local"];

/** A settings file of an agent as it is. */
export interface SettingsFile {
  readonly file: string;
  /** `undefined` when it was named on the command line. */
  readonly scope: SettingsScope | undefined;
  /** `undefined` when there is none. */
  readonly text: SettingsText;
}

/**
 * The settings file of a scope.
 *
 * @throws TenterhookError `settings_unreadable`, also when nobody can say where it is.
 */
export function settingsOf(
  bridge: Bridge,
  scope: SettingsScope,
  root: string,
  environment: NodeJS.ProcessEnv,
): SettingsFile {
  const home = environment.HOME ?? homeFolder();
  const place = { root, home, environment };
  const file = bridge.settingsFile(scope, place);
  if (!isAbsolute(file))
    throw new TenterhookError(
      "settings_unreadable",
      `The ${scope} settings of ${bridge.title} would be ${JSON.stringify(file)}, wherever it starts.`,
      { hint: "Give HOME, and variables that name its folder, an absolute path, or take them out." },
    );
  // In the home folder the settings of the project are those of the user.
  const isUsers = file === bridge.settingsFile("user", place);
  return { file, scope: isUsers ? "user" : scope, text: readSettings(file) };
}

/**
 * The events that a settings file is to have: those that are needed here, and in a file that other folders read too those
 * it has. Nobody knows what is needed there, and a gate that is called no more is an open one.
 */
export function eventsFor(
  bridge: Bridge,
  { scope }: Pick<SettingsFile, "scope">,
  text: SettingsText,
  needed: readonly WantedEvent[],
): readonly WantedEvent[] {
  const isShared = scope === "user" || scope === undefined;
  return isShared ? joinedEvents(needed, bridge.settings.entered(text)) : needed;
}

/** The settings file the command line names: by `--settings`, by `--scope`, else the project's. */
export function chosenSettings(bridge: Bridge, root: string, invocation: Invocation): SettingsFile {
  const { cwd, environment } = invocation;
  const file = textOption(invocation, "settings");
  if (file !== undefined) {
    const path = resolve(cwd, file);
    return { file: path, scope: undefined, text: readSettings(path) };
  }
  const wanted = textOption(invocation, "scope");
  const scope = SETTINGS_SCOPES.find((one) => one === wanted) ?? "project";
  return settingsOf(bridge, scope, root, environment);
}

/**
 * What a function makes of the text of a settings file; of an error it is said which file it is about.
 *
 * @throws TenterhookError `settings_unreadable`; then the file was left alone.
 */
export function edited<T>({ file, text }: SettingsFile, edit: (text: SettingsText) => T): T {
  try {
    return edit(text);
  } catch (error) {
    throw isTenterhookError(error) ? atPlace(error, file) : error;
  }
}

/**
 * Writes a settings file, whole or not at all. What was there is kept in the state folder.
 *
 * @returns where the old text is kept; `undefined` when there was none.
 * @throws TenterhookError `write_failed`, or `state_unwritable` when the old text can't be kept.
 */
export async function writeSettings(
  { file, text }: SettingsFile,
  after: SettingsText,
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  try {
    const backup = text === undefined ? undefined : await keptCopy(file, text, environment);
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

async function keptCopy(file: string, text: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const stamp = new Date().toISOString().replaceAll(/[-:.]/g, "");
  const name = `${stamp}-${basename(dirname(file))}-${basename(file)}`;
  return writeToState(join(stateFolder(environment), "backups"), name, text);
}

/** Removes a file that held nothing but what is ours, and its folder when nothing else is in it. A link stays one. */
function removeFile(file: string): void {
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  rmSync(isLink ? realpathSync(file) : file, { force: true });
  try {
    rmdirSync(dirname(file));
  } catch {
    // Somebody else's things are in it.
  }
}

/** The folder of the project, found without reading its configuration: what is broken must not keep anybody here. */
export async function projectRoot({ cwd, environment }: Invocation): Promise<string> {
  const { root } = await discover({ cwd, environment }, new Inputs());
  return root;
}

/**
 * Writes a file into a folder of the state folder, for this user alone.
 *
 * @returns its path.
 * @throws TenterhookError `state_unwritable`.
 */
export async function writeToState(folder: string, name: string, text: string): Promise<string> {
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

/** Far more than anybody's settings, and little enough to be parsed. */
const MOST_BYTES = 10_000_000;

/**
 * The text of a settings file; `undefined` when there is none, also where a link leads to none. Written again it gives
 * the same bytes.
 *
 * @throws TenterhookError `settings_unreadable` for what is no file, too big or no UTF-8.
 */
export function readSettings(file: string): SettingsText {
  let bytes: Uint8Array;
  try {
    const status = statSync(file, { throwIfNoEntry: false });
    if (status === undefined) return undefined;
    if (!status.isFile()) throw new Error("it is no plain file");
    if (status.size > MOST_BYTES)
      throw new Error(`it has ${status.size} bytes, and settings have at most ${MOST_BYTES}`);
    bytes = readFileSync(file);
  } catch (cause) {
    throw new TenterhookError("settings_unreadable", `${file} can't be read: ${errorMessage(cause)}.`, {
      cause,
    });
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new TenterhookError("settings_unreadable", `${file} is not UTF-8 text.`, {
      hint: "Save the file as UTF-8; it was left as it is.",
      cause,
    });
  }
}
