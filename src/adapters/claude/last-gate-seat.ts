import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { isRecord, parseJson, sameJson } from "../../core/base/json.ts";
import { PACKAGE_VERSION } from "../../node/package-version.ts";
import type { LastGateSeat, SettingsPlaces } from "../integration.ts";
import {
  addMember,
  addToList,
  removeItems,
  type SettingsPath,
  type SettingsText,
  valueAt,
} from "../settings/json-edit.ts";
import { actingMods } from "./acting-mods.ts";
import { managedSettings, pluginHookFiles } from "./lifts.ts";
import { PLUGIN } from "./mod/wire.js";

const [NAME = "", MARKETPLACE = ""] = PLUGIN.split("@");
/** A list of ours would unseat the guard that Claude Code brings along where there are managed settings. */
const BUILT_IN = "sec-default@builtin";

const SOURCE = ["extraKnownMarketplaces", MARKETPLACE];
const ENABLED = ["enabledPlugins", PLUGIN];
const FIRST = "prependPlugins";

function sourceOf(path: string) {
  return { source: { source: "directory", path } };
}

/** The seat of our plug-in in Claude Code: the first of the plug-ins that see every call before the others. */
export function claudeLastGate(
  managedFile: string,
  userSettings: (places: SettingsPlaces) => string,
): LastGateSeat {
  return {
    event: "PreToolUse",
    since: "2.1.326",
    leftOutBy:
      "--bare, --safe-mode, --setting-sources without user, and a plug-in of the same name by --plugin-dir leave it out",
    install(text, folder, isManaged) {
      const isListed = !isManaged || listIn(text).includes(BUILT_IN);
      if (folderIn(text) === folder && isListed) return text;
      const placed = addMember(removed(text), SOURCE, sourceOf(folder));
      const first = addToList(addMember(placed, ENABLED, true), [FIRST], PLUGIN, "first");
      return isManaged && !listIn(first).includes(BUILT_IN) ? addToList(first, [FIRST], BUILT_IN) : first;
    },
    uninstall: removed,
    folderIn,
    files: (place) =>
      new Map([
        [
          ".claude-plugin/marketplace.json",
          json({
            name: MARKETPLACE,
            owner: { name: "Tenterhook" },
            plugins: [{ name: NAME, source: `./${NAME}`, description: ABOUT }],
          }),
        ],
        [
          `${NAME}/.claude-plugin/plugin.json`,
          json({ name: NAME, version: PACKAGE_VERSION, description: ABOUT }),
        ],
        [`${NAME}/hooks/hooks.json`, json({ modules: ["./register.js"] })],
        ...moduleFiles().map(([name, text]) => [`${NAME}/hooks/${name}`, text] as const),
        [`${NAME}/hooks/place.js`, `export const PLACE = ${JSON.stringify(place)};\n`],
      ]),
    overruledBy: () => managedSettings(managedFile)[0]?.file,
    actingMods: (places) => actingMods(pluginHookFiles(places).map((file) => dirname(dirname(file)))),
    listed: (places) => ({
      file: join(dirname(userSettings(places)), "plugins/known_marketplaces.json"),
      without: (text, folder) => {
        const known = parseJson(text ?? "");
        const ours = isRecord(known) && isRecord(known[MARKETPLACE]) ? known[MARKETPLACE].source : undefined;
        return sameJson(ours, sourceOf(folder).source) ? removeItems(text, [[MARKETPLACE]]) : text;
      },
    }),
    overruledBySome:
      "Settings that a Team or Enterprise plan sends overrule the place of our plug-in: there --managed alone puts it first.",
    without:
      "Another hook or plug-in of Claude Code can lift a refusal, or change a call after it was judged: tenterhook install claude --user puts a gate of ours behind them.",
  };
}

const ABOUT =
  "Asks Tenterhook about each call as it runs. tenterhook install wrote it; tenterhook uninstall removes it.";

function json(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function listIn(text: SettingsText): readonly unknown[] {
  const list = valueAt(text, [FIRST]);
  return Array.isArray(list) ? list : [];
}

function folderIn(text: SettingsText): string | undefined {
  const place = valueAt(text, SOURCE);
  const source = isRecord(place) && isRecord(place.source) ? place.source : {};
  const isFirst = listIn(text)[0] === PLUGIN && valueAt(text, ENABLED) === true;
  return isFirst && source.source === "directory" && typeof source.path === "string"
    ? source.path
    : undefined;
}

function removed(text: SettingsText): SettingsText {
  const list = listIn(text);
  const isOurList = sameJson(list, [PLUGIN, BUILT_IN]);
  const places: readonly SettingsPath[] = [
    SOURCE,
    ENABLED,
    ...list.flatMap((one, at) => (one === PLUGIN || isOurList ? [[FIRST, at]] : [])),
  ];
  return removeItems(text, places);
}

/** The files of the module, as scripts/build.mjs copies them; in a clone, as they are written. */
function moduleFiles(): readonly (readonly [name: string, text: string])[] {
  const root = dirname(createRequire(import.meta.url).resolve("tenterhook/package.json"));
  const [folder = ""] = ["src/adapters/claude/mod", "dist/plugins/claude"]
    .map((name) => join(root, name))
    .filter((name) => existsSync(name));
  return readdirSync(folder)
    .filter((name) => name.endsWith(".js"))
    .map((name) => [name, readFileSync(join(folder, name), "utf8")]);
}
