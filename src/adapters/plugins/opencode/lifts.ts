import { join } from "node:path";
import { isRecord, listOf } from "../../../core/base/json.ts";
import type { LiftFinder, SettingsPlaces } from "../../integration.ts";
import { isOn, pathsIn, readFile } from "../../lifts.ts";
import { OWNED_MARK } from "../../settings/installed-texts.ts";

/** Where opencode, or a fork of it, finds plug-ins and what names them. */
export interface PluginPlaces {
  readonly name: string;
  readonly title: string;
  /** The folder of the user, then those of the project and the home folder. */
  folders(places: SettingsPlaces): readonly [user: string, ...others: string[]];
}

/** Keys of its configuration that list plug-ins; the second is that of opencode 2. */
const KEYS = ["plugin", "plugins"];

export function pluginLifts({ name, title, folders }: PluginPlaces): readonly LiftFinder[] {
  const beside = (what: string): string =>
    `The plug-in ${what} runs inside ${title}, beside Tenterhook, and can run what Tenterhook refuses.`;
  const files: LiftFinder = (places) =>
    folders(places)
      .flatMap((folder) => KEYS.flatMap((key) => pathsIn(join(folder, key))))
      .filter((file) => /\.[jt]s$/.test(file) && readFile(file).text?.includes(OWNED_MARK) === false)
      .map((file) => ({
        what: beside(file),
        where: file,
        line: 1,
        way_out: "Read it; remove it unless you trust it.",
      }));
  const listed: LiftFinder = (places) => {
    const given = places.environment[`${name.toUpperCase()}_CONFIG`];
    const configurations = [...folders(places), places.root].flatMap((folder) =>
      ["json", "jsonc"].map((ending) => join(folder, `${name}.${ending}`)),
    );
    return [...new Set([...configurations, ...(given === undefined ? [] : [given])])].flatMap((path) => {
      const file = readFile(path);
      return KEYS.flatMap((key) =>
        listOf(file.value([key])).map((entry, at) =>
          file.lift([key, at], beside(nameOf(entry)), `Take it out of ${key} unless you trust it.`),
        ),
      );
    });
  };
  const withoutProject: LiftFinder = (places) => {
    const variable = `${name.toUpperCase()}_DISABLE_PROJECT_CONFIG`;
    const ours = join(folders(places)[0], "plugins", "tenterhook.js");
    if (!isOn(places.environment[variable]) || readFile(ours).text !== undefined) return [];
    const what = `${title} loads no plug-in of the project, ours among them.`;
    return [{ what, where: variable, way_out: `tenterhook install ${name} --user` }];
  };
  return [files, listed, withoutProject];
}

function nameOf(entry: unknown): string {
  const [named] = [entry].flat();
  return String(isRecord(named) ? (named.package ?? named.name) : named);
}
