import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { Integration, SettingsPlaces, SettingsScope } from "../adapters/integration.ts";
import { joinedEvents, type WantedEvent } from "../adapters/settings/agent-settings.ts";
import type { SettingsText } from "../adapters/settings/json-edit.ts";
import { folderText } from "../adapters/settings/owned-folder.ts";
import { errorMessage } from "../core/base/error-text.ts";
import { atPlace, isTenterhookError, TenterhookError } from "../core/base/errors.ts";
import { readRegularFile } from "../node/files/regular-file.ts";
import { PLACES } from "../node/places.ts";
import { systemCode } from "../node/system-code.ts";
import { homeFolder } from "../node/user-folders.ts";
import { callsOwnCopy } from "./called-program.ts";

export interface SettingsFile {
  readonly file: string;
  /** The names of our files, when `file` is a folder of them; then `text` is that of all: see `folderText`. */
  readonly names?: readonly string[];
  /** `undefined` when the file was named with `--settings`, and for managed settings. */
  readonly scope: SettingsScope | undefined;
  /** True for the settings that an administrator writes for the whole machine. */
  readonly isManaged?: boolean;
  /** `undefined` when the file does not exist. */
  readonly text: SettingsText;
}

/** The option with which commands choose this file, such as ` --user`. Empty for the one that they choose without. */
export function optionFor(
  { scopes }: Pick<Integration, "scopes">,
  { scope, file, isManaged = false }: Pick<SettingsFile, "scope" | "file" | "isManaged">,
): string {
  if (isManaged) return " --managed";
  if (scope === undefined) return ` --settings ${PLACES.word(file)}`;
  return scope === scopes[0] ? "" : ` --${scope}`;
}

/** @throws TenterhookError `settings_unreadable`, also when the path is not absolute. */
export function settingsOf(
  integration: Integration,
  scope: SettingsScope,
  places: SettingsPlaces,
): SettingsFile {
  const file = integration.settingsFile(scope, places);
  if (!isAbsolute(file))
    throw new TenterhookError(
      "settings_unreadable",
      `The ${scope} settings of ${integration.table.title} have a relative path: ${JSON.stringify(file)}.`,
      { hint: "Set HOME and the variables that name its folder to absolute paths, or unset them." },
    );
  // In the home folder the project's settings are the user's.
  const isUsers = file === integration.settingsFile("user", places);
  return settingsAt(integration, file, isUsers ? "user" : scope);
}

/** @throws TenterhookError `settings_unreadable`. */
export function settingsAt(
  { settingsNames: names }: Integration,
  file: string,
  scope: SettingsFile["scope"],
): SettingsFile {
  if (names === undefined) return { file, scope, text: readSettings(file) };
  const files = new Map(names.map((name) => [name, readSettings(join(file, name))]));
  return { file, names, scope, text: folderText(files) };
}

/** The settings of the machine's administrator, when the agent has some. @throws TenterhookError `settings_unreadable`. */
export function managedSettings(integration: Integration): SettingsFile | undefined {
  const { managed } = integration;
  return managed === undefined
    ? undefined
    : { ...settingsAt(integration, managed.file, undefined), isManaged: true };
}

/** The agent as it reads the settings of the machine's administrator. */
export function asManaged({ trust: _, ...integration }: Integration): Integration {
  return { ...integration, settings: integration.managed?.settings ?? integration.settings };
}

/**
 * The events that a settings file must have: those that are needed here, plus, in a file that other folders share,
 * those it has already, for all tools. What other folders need is not known, and removing an entry would open a gate.
 */
export function eventsFor(
  integration: Integration,
  { scope }: Pick<SettingsFile, "scope">,
  text: SettingsText,
  needed: readonly WantedEvent[],
  root: string,
): readonly WantedEvent[] {
  if (scope === "user" || scope === undefined)
    return joinedEvents(needed.map(forAllTools), integration.settings.entered(text));
  const { projectCommand: command } = integration;
  const isOwn = command !== undefined && callsOwnCopy(root);
  return isOwn ? needed.map((event) => ({ ...event, command })) : needed;
}

function forAllTools({ matcher, of_hooks, ...event }: WantedEvent): WantedEvent {
  return matcher === undefined || of_hooks === true ? event : { ...event, matcher };
}

/**
 * Runs an edit on the file's text, and adds the file's name to errors.
 *
 * @throws TenterhookError `settings_unreadable`; the file is unchanged then.
 */
export function edited<T>({ file, text }: SettingsFile, edit: (text: SettingsText) => T): T {
  try {
    return edit(text);
  } catch (error) {
    throw isTenterhookError(error) ? atPlace(error, file) : error;
  }
}

export function placesIn(root: string, environment: NodeJS.ProcessEnv): SettingsPlaces {
  return { root, home: environment.HOME ?? homeFolder(), environment };
}

/** What is read of files that `doctor` reports when they can't be read; else the value that means nothing. */
export function orElse<Value>(nothing: Value, read: () => Value): Value {
  try {
    return read();
  } catch {
    return nothing;
  }
}

const MOST_BYTES = 10_000_000;

/**
 * Reads a settings file; `undefined` when it does not exist, or a link is dangling. Keeps the byte order mark.
 *
 * @throws TenterhookError `settings_unreadable` when it is not a file, too big or not UTF-8.
 */
export function readSettings(file: string): SettingsText {
  let bytes: Uint8Array;
  try {
    bytes = readRegularFile(file, MOST_BYTES);
  } catch (cause) {
    if (systemCode(cause) === "ENOENT") return undefined;
    throw new TenterhookError("settings_unreadable", `${file} can't be read: ${errorMessage(cause)}.`, {
      cause,
    });
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new TenterhookError("settings_unreadable", `${file} is not UTF-8 text.`, {
      hint: "Save the file as UTF-8. It was not changed.",
      cause,
    });
  }
}

/** True when the agent does not read the settings of the project when it starts in a folder below it. */
export function readsOnlyInRoot({ startsInRoot }: Integration, root: string): boolean {
  return startsInRoot === "unless git" ? !existsSync(join(root, ".git", "HEAD")) : startsInRoot;
}
