import { TenterhookError } from "../../core/base/errors.ts";
import { isRecord } from "../../core/base/json.ts";
import type { AgentSettings, WantedEvent } from "./agent-settings.ts";
import type { SettingsText } from "./json-edit.ts";
import { type OwnedFile, ownedFile } from "./owned-file.ts";

/** An agent that finds the file of each event by its name. */
export interface OwnedFolder extends OwnedFile {
  /** The name of the file for an event. Events may share one. */
  nameOf(native: string): string;
}

/**
 * The settings of an agent with a file of ours for each event, all in one folder. Their text is that of all files: see
 * `folderText`.
 */
export function ownedFolder(rules: OwnedFolder): AgentSettings {
  const one = ownedFile(rules);
  const each = <T>(text: SettingsText, read: (text: SettingsText) => readonly T[]): readonly T[] =>
    [...filesIn(text).values()].flatMap(read);
  const ofFile = (events: readonly WantedEvent[], name: string): readonly WantedEvent[] =>
    events.filter(({ native }) => rules.nameOf(native) === name);
  return {
    ...one,
    install(text, events) {
      const files = filesIn(text);
      for (const name of new Set([...files.keys(), ...events.map(({ native }) => rules.nameOf(native))])) {
        const wanted = ofFile(events, name);
        const before = files.get(name);
        if (wanted.length > 0 && before !== undefined && one.uninstall(before) === before)
          throw new TenterhookError("settings_unreadable", `Tenterhook did not write ${name} there.`, {
            hint: "Rename it. It was not changed.",
          });
        files.set(name, wanted.length === 0 ? one.uninstall(before) : one.install(before, wanted));
      }
      return folderText(files);
    },
    uninstall: (text) =>
      folderText(new Map([...filesIn(text)].map(([name, file]) => [name, one.uninstall(file)]))),
    installed: (text) => each(text, one.installed),
    entered: (text) => each(text, one.entered),
    drifted: (text, events) =>
      [...filesIn(text)].flatMap(([name, file]) => one.drifted(file, ofFile(events, name))),
  };
}

/** The text of a folder: its files by name, as JSON. `undefined` when it has none. */
export function folderText(files: ReadonlyMap<string, SettingsText>): SettingsText {
  const there = [...files].filter(([, text]) => text !== undefined);
  return there.length === 0 ? undefined : JSON.stringify(Object.fromEntries(there.toSorted()));
}

/** The files of a folder by name, from its text. */
export function filesIn(text: SettingsText): Map<string, SettingsText> {
  const files: unknown = text === undefined ? {} : JSON.parse(text);
  return new Map(Object.entries(isRecord(files) ? files : {}).map(([name, file]) => [name, String(file)]));
}
