import { rmSync } from "node:fs";
import type { Integration, OneRun, Run, SettingsPlaces } from "../../../../adapters/integration.ts";
import type { WantedEvent } from "../../../../adapters/settings/agent-settings.ts";
import { HOOK_COMMAND } from "../../../../adapters/settings/hook-command.ts";
import type { SettingsText } from "../../../../adapters/settings/json-edit.ts";
import { loadConfig } from "../../../../config.ts";
import { writeToState } from "../../../../install/change-files.ts";
import { installationOf, readable } from "../../../../install/installation.ts";
import { watchedEvents } from "../../../../install/needs.ts";
import { edited, readSettings } from "../../../../install/settings-files.ts";
import { ownProgram } from "../../../../node/own-program.ts";
import { findProgram } from "../../../../node/process/find-program.ts";
import { shellWord } from "../../../../shared/shell-word.ts";
import type { Invocation } from "../../../command-line/command.ts";
import { projectPlaces } from "../../../integrations/chosen-settings.ts";
import { agentFolder } from "./name.ts";

/**
 * Settings for one run of an agent, which leave those of all others as they are.
 *
 * @param eventsFor the events for which the run calls us.
 * @throws ConfigError; TenterhookError `settings_unreadable` when what the run is given anyway can't be parsed,
 * `state_unwritable`.
 */
export async function settingsForRun(
  integration: Integration | undefined,
  agent: string,
  args: readonly string[],
  invocation: Invocation,
  eventsFor: typeof watchedEvents,
) {
  const asItIs = { args, variables: {}, remove: () => undefined };
  if (integration === undefined) return { ...asItIs, hooked: false };
  const { oneRun } = integration;
  if (oneRun === undefined) return { ...asItIs, hooked: await isInstalled(integration, invocation) };
  const { cwd, environment } = invocation;
  const command = calledHere(cwd, environment);
  const covered = installedEvents(integration, await projectPlaces(invocation));
  const needed = eventsFor(await loadConfig(invocation), integration);
  const events = needed.filter((event) => !covered(event)).map((event) => ({ ...event, command }));
  if (events.length === 0) return { ...asItIs, hooked: true };
  const run: Run = { args, variables: environment };
  const text = settingsText(integration, oneRun, run, events);
  const folder = agentFolder(agent, environment);
  const file = text === undefined ? undefined : await writeToState(folder, "watch.json", text);
  return {
    hooked: true,
    ...oneRun.started(run, { events, file: file ?? "" }),
    remove() {
      if (file !== undefined) rmSync(file, { force: true });
    },
  };
}

/** Which events the agent calls us for anyway, for all the tools that are needed. */
function installedEvents(integration: Integration, places: SettingsPlaces): (event: WantedEvent) => boolean {
  const files = installationOf(integration, places).own.map(readable);
  return ({ native, ...event }) =>
    files.some(
      ({ text, events, untrusted }) =>
        events.includes(native) &&
        !untrusted.includes(native) &&
        integration.settings.drifted(text, [{ native, ...event }]).every(({ narrow }) => !narrow),
    );
}

/** True when one of the agent's files calls us. Says what to do when none does. */
async function isInstalled(integration: Integration, invocation: Invocation): Promise<boolean> {
  const { adapter, table } = integration;
  const covered = installedEvents(integration, await projectPlaces(invocation));
  const installed = watchedEvents(await loadConfig(invocation), integration).some(covered);
  if (!installed)
    invocation.screen.tell(
      `${table.title} takes no hooks for one run, so the monitor shows only that it runs. tenterhook install ${adapter.name} shows more.`,
    );
  return installed;
}

/** What the run is given anyway, with our entries; `undefined` when they need no file. */
function settingsText(
  { settings }: Integration,
  { replaced }: OneRun,
  run: Run,
  events: readonly WantedEvent[],
): SettingsText {
  if (replaced === undefined) return undefined;
  const given = replaced(run);
  const isText = given?.trimStart().startsWith("{") === true;
  const file = given === undefined || isText ? "settings" : given;
  const text = given === undefined || isText ? given : readSettings(given);
  return edited({ file, scope: undefined, text }, (before) => settings.install(before, events));
}

/** Our program as the agent can call it: by its name where it is on the PATH. */
function calledHere(cwd: string, environment: NodeJS.ProcessEnv): string {
  if (findProgram("tenterhook", cwd, environment) !== undefined) return HOOK_COMMAND;
  const { file, args } = ownProgram("hook");
  return [file, ...args].map(shellWord).join(" ");
}
