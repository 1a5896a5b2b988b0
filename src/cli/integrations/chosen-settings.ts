import { resolve } from "node:path";
import type { Integration, SettingsPlaces } from "../../adapters/integration.ts";
import { discover } from "../../config/find/discover.ts";
import { Inputs } from "../../config/inputs/inputs.ts";
import {
  managedSettings,
  placesIn,
  type SettingsFile,
  settingsAt,
  settingsOf,
} from "../../install/settings-files.ts";
import { fileOption, flagOption, type Invocation, textOption } from "../command-line/command.ts";
import { usageError } from "../command-line/usage-error.ts";

/**
 * The settings file chosen by `--settings`, `--user`, `--project` or `--local`; by default the first of the agent's scopes.
 *
 * @throws TenterhookError `usage_error` for a scope that the agent does not have.
 */
export function chosenSettings(
  integration: Integration,
  places: SettingsPlaces,
  invocation: Invocation,
): SettingsFile {
  const file = textOption(invocation, "settings");
  if (file !== undefined) return settingsAt(integration, resolve(invocation.cwd, file), undefined);
  if (flagOption(invocation, "managed")) {
    const managed = managedSettings(integration);
    if (managed !== undefined) return managed;
    throw usageError(
      `${integration.table.title} has no settings for a whole machine that Tenterhook can write.`,
      `Claude Code, Codex and Gemini CLI have some. For each user: tenterhook install ${integration.adapter.name} --user.`,
    );
  }
  const wanted = fileOption(invocation);
  const scope =
    wanted === undefined ? integration.scopes[0] : integration.scopes.find((one) => one === wanted);
  if (scope === undefined)
    throw usageError(
      `${integration.table.title} has no settings for --${wanted}.`,
      `Choose one of: ${integration.scopes.map((one) => `--${one}`).join(", ")}.`,
    );
  return settingsOf(integration, scope, places);
}

/** The places of this project, found without reading the configuration, which may be invalid. */
export async function projectPlaces({
  cwd,
  environment,
}: Pick<Invocation, "cwd" | "environment">): Promise<SettingsPlaces> {
  const { root } = await discover({ cwd, environment }, new Inputs());
  return placesIn(root, environment);
}
