import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { agentSettings } from "../../../../adapters/claude/agent-settings.ts";
import { claudeIntegration } from "../../../../adapters/claude/integration.ts";
import {
  edited,
  placesIn,
  type SettingsFile,
  settingsOf,
} from "../../../../hook/installed/settings-files.ts";
import { stateFolder } from "../../../../node/user-folders.ts";
import type { Invocation } from "../../../command-line/command.ts";
import { projectPlaces } from "../../../integrations/chosen-settings.ts";
import { writeToState } from "../../../integrations/settings-changes.ts";

/**
 * Writes a copy of the project's settings with the hooks of this agent.
 *
 * @returns the path to give to the agent.
 * @throws TenterhookError `settings_unreadable` when the project's file can't be parsed, `state_unwritable`; the
 * signal's reason when it is aborted.
 */
export async function writeAgentSettings(agent: string, invocation: Invocation): Promise<string> {
  const { environment, signal } = invocation;
  const text = edited(await projectSettings(invocation), (before) => agentSettings(before, agent));
  signal.throwIfAborted();
  return writeToState(join(stateFolder(environment), "agents", agent), "settings.json", text);
}

/** The project's file: next to our configuration, else the nearest one up to the root of the repository. */
async function projectSettings(invocation: Invocation): Promise<SettingsFile> {
  const { cwd, environment } = invocation;
  const own = settingsOf(claudeIntegration, "project", await projectPlaces(invocation));
  if (own.text !== undefined) return own;
  for (let folder = cwd; ; folder = dirname(folder)) {
    const settings = settingsOf(claudeIntegration, "project", placesIn(folder, environment));
    if (settings.text !== undefined) return settings;
    if (dirname(folder) === folder || existsSync(join(folder, ".git"))) return own;
  }
}
