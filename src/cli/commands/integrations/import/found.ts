import type {
  ImportedIntegration,
  Integration,
  SettingsPlaces,
  SettingsScope,
} from "../../../../adapters/integration.ts";
import { valueAt } from "../../../../adapters/settings/json-edit.ts";
import { TenterhookError } from "../../../../core/base/errors.ts";
import { isRecord } from "../../../../core/base/json.ts";
import { type Installation, installationOf } from "../../../../install/installation.ts";
import { orElse } from "../../../../install/settings-files.ts";
import { claudePlugins } from "../../../../node/claude-plugins.ts";
import { counted } from "../../../command-line/screen/text.ts";
import { CHANGEABLE, scopeFile } from "../../../configured-hooks/scope-files.ts";
import { isSameHook, readConfiguration } from "./configuration.ts";
import { type ImportSource, sourcesAt, sourcesOf } from "./sources.ts";

/** Hooks of an agent that are in no configuration of ours. */
export interface FoundHooks {
  readonly file: string;
  readonly hooks: number;
  /** Whose settings have them; absent for a plug-in's. */
  readonly scope?: SettingsScope | undefined;
  readonly where: string;
  readonly command: string;
}

const WHERE = { project: "the project's settings", user: "your user settings", local: "your local settings" };

/** The hooks of all settings of an agent, and of its plug-ins in use, that could be imported. Never throws. */
export function foundHooks(integration: Integration, places: SettingsPlaces): readonly FoundHooks[] {
  const { importing, adapter } = integration;
  if (importing === undefined) return [];
  const known = CHANGEABLE.flatMap((scope) =>
    orElse([], () => readConfiguration(scopeFile(scope, places.root, places.environment)).definitions),
  );
  const found = (
    sources: () => readonly ImportSource[],
    where: string,
    option: string,
    scope?: SettingsScope,
  ) =>
    orElse([], sources).flatMap((source): readonly FoundHooks[] => {
      const hooks = orElse([], () => importing.importHooks(source.foreign).hooks);
      const fresh = hooks.filter(
        ({ definition }) => definition !== undefined && !known.some((one) => isSameHook(one, definition)),
      );
      const command = `tenterhook import ${adapter.name}${option}`;
      return fresh.length === 0 ? [] : [{ file: source.file, hooks: fresh.length, scope, where, command }];
    });
  const { own } = installationOf(integration, places);
  const ofScopes = own.flatMap((settings) => {
    const { scope = "project" } = settings;
    const option = scope === "project" ? "" : ` --${scope}`;
    return found(() => sourcesOf(integration, settings, places), WHERE[scope], option, scope);
  });
  const ofPlugins = pluginsInUse({ ...integration, importing }, own, places).flatMap(({ id, folder }) =>
    found(() => sourcesAt(integration, folder, places), `the plug-in ${id}`, ` ${id}`),
  );
  return [...new Map([...ofScopes, ...ofPlugins].map((one) => [`${one.file} ${one.where}`, one])).values()];
}

/** The commands that import what was found, and what each imports. */
export function importSteps(found: readonly FoundHooks[]): readonly (readonly [string, string])[] {
  return found.map(({ hooks, where, command }) => [command, `${counted(hooks, "hook")} in ${where}`]);
}

/** The error for settings that are not there. It names those that are. */
export function nothingIn(file: string, found: readonly FoundHooks[]): TenterhookError {
  const others = importSteps(found).map(([command, what]) => `${what}: ${command}`);
  return new TenterhookError("settings_unreadable", `There is no file ${file}.`, {
    hint: others.join("\n") || "Name another with --user, --local or --settings.",
  });
}

/** The plug-ins that some settings switch on. */
function pluginsInUse({ importing }: ImportedIntegration, own: Installation["own"], places: SettingsPlaces) {
  if (importing.plugins !== true) return [];
  const enabled = own.map(({ text }) => orElse(undefined, () => valueAt(text, ["enabledPlugins"])));
  return claudePlugins(places.environment, places.root).filter(({ id }) =>
    enabled.some((list) => isRecord(list) && list[id] === true),
  );
}
