import type { FileScope } from "../find/discover.ts";
import type { Layer, LayerSections } from "../find/unit.ts";
import type { Warning } from "../parse/problem.ts";
import type { SectionName } from "../schema/sections.ts";
import { type Lower, SECTION_ROWS, type Section, type Tell } from "./rows.ts";

/** The top-level keys in force apart from `hooks`; a missing section is empty. */
export type Settings = { readonly [Name in SectionName]: Readonly<Section<Name>> };

/**
 * Combines the sections of all scopes by the table, with a warning for each value that does not count. `of` has the settings
 * for the hooks of each scope, from it and higher scopes: a project can't choose a user's judge.
 */
export function mergeSettings(
  layers: readonly Layer[],
  warnings: Warning[],
): { readonly settings: Settings; readonly of: Readonly<Record<FileScope, Settings>> } {
  const managed = scopeSettings(layers, "managed");
  const user = narrowed(managed, scopeSettings(layers, "user"), sectionsOf(layers, "user"), warnings, "user");
  // Both come with the project. Which of them says it makes no difference to what higher scopes allow.
  const below = joined(scopeSettings(layers, "project"), scopeSettings(layers, "local"));
  const lower = [...sectionsOf(layers, "project"), ...sectionsOf(layers, "local")];
  const settings = narrowed(user, below, lower, warnings, "project");
  return { settings, of: { managed, user, project: settings, local: settings } };
}

function sectionsOf(layers: readonly Layer[], scope: FileScope): readonly LayerSections[] {
  return layers.filter((layer) => layer.scope === scope).flatMap(({ sections }) => sections);
}

function scopeSettings(layers: readonly Layer[], scope: FileScope): Settings {
  return sectionsOf(layers, scope).reduce(
    (all, { value }) => joined(all, { ...NO_SETTINGS, ...value }),
    NO_SETTINGS,
  );
}

export const NO_SETTINGS: Settings = {
  models: {},
  permissions: {},
  sandbox: {},
  memory: {},
  compaction: {},
  agents: {},
  checkpoints: {},
  mcp_servers: {},
  monitor: {},
  daemon: true,
  self_protection: {},
  mods: {},
  degrade: {},
};

const SECTION_NAMES = Object.keys(NO_SETTINGS) as readonly SectionName[];

function joined(earlier: Settings, later: Settings): Settings {
  return eachSection((name) => SECTION_ROWS[name].join(earlier[name], later[name]));
}

function narrowed(
  upper: Settings,
  lower: Settings,
  from: readonly LayerSections[],
  warnings: Warning[],
  who: Lower,
): Settings {
  return eachSection((name) => {
    const tell: Tell = (path, why) => {
      // The last file that has the section is the one that counts, and so the one to correct.
      const place = from.findLast(({ places }) => places[name] !== undefined)?.places[name];
      if (place !== undefined) warnings.push({ ...place, message: `${name}.${path} is ignored: ${why}.` });
    };
    return SECTION_ROWS[name].narrow(upper[name], lower[name], tell, who);
  });
}

function eachSection(make: <Name extends SectionName>(name: Name) => Section<Name>): Settings;
function eachSection(make: (name: SectionName) => unknown): object {
  return Object.fromEntries(SECTION_NAMES.map((name) => [name, make(name)]));
}
