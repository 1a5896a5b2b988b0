import type { Integration, SettingsPlaces } from "../../../adapters/integration.ts";
import { integrationOf } from "../../../adapters/integrations.ts";
import { AGENT_NAMES } from "../../../core/events/agent-names.ts";
import { applyUninstall } from "../../../install/apply.ts";
import { settingsDiff } from "../../../install/change-files.ts";
import { installationOf, readable } from "../../../install/installation.ts";
import { changes, planUninstall } from "../../../install/plan.ts";
import type { SettingsFile } from "../../../install/settings-files.ts";
import { confirm } from "../../command-line/ask-line.ts";
import { type CommandRun, flagOption, type Invocation } from "../../command-line/command.ts";
import { mustBePerson } from "../../command-line/person.ts";
import { shortPath, wrapped, yellow } from "../../command-line/screen/text.ts";
import { usageError } from "../../command-line/usage-error.ts";
import { guardBlock } from "../../configured-hooks/guard.ts";
import { asItWas } from "../../integrations/as-it-was.ts";
import { chosenSettings, projectPlaces } from "../../integrations/chosen-settings.ts";
import { undoHint, undoImport } from "./import/undo.ts";

export const run: CommandRun = async (invocation) => {
  const { screen, json } = invocation;
  if (flagOption(invocation, "everything"))
    return (await import("./uninstall/everything.ts")).uninstallEverything(invocation);
  if (!flagOption(invocation, "dryRun")) await mustBePerson(invocation);
  const places = await projectPlaces(invocation);
  const done: Uninstalled[] = [];
  for (const chosen of await chosenFiles(places, invocation))
    done.push(await uninstall(chosen, places, flagOption(invocation, "dryRun")));
  if (json) {
    screen.json({ uninstalled: done });
    return undefined;
  }
  show(done, invocation);
  if (flagOption(invocation, "dryRun")) return undefined;
  await offerOriginals(done, places, invocation);
  screen.print(await guardBlock(invocation));
  return undefined;
};

/** The person's own hooks ran through us: without us they run nowhere. */
async function offerOriginals(
  done: readonly Uninstalled[],
  places: SettingsPlaces,
  invocation: Invocation,
): Promise<void> {
  const { screen, environment } = invocation;
  for (const agent of new Set(done.filter(({ still_in }) => still_in.length === 0).map((one) => one.agent))) {
    const hint = undoHint(agent, places.root, environment);
    if (hint === undefined) continue;
    screen.print(yellow(wrapped(hint, screen.width)));
    if (screen.interactive && (await confirm("Put them back now?", invocation)))
      // Nobody is asked twice.
      await undoImport(await integrationOf(agent), places, {
        ...invocation,
        options: { ...invocation.options, yes: true },
      });
  }
}

interface Chosen {
  readonly integration: Integration;
  readonly settings: SettingsFile;
}

/** The files of the agents that are named; with `--all` every file with our entries. */
async function chosenFiles(places: SettingsPlaces, invocation: Invocation): Promise<readonly Chosen[]> {
  const { names } = invocation;
  const all = flagOption(invocation, "all");
  if (names.length === 0 && !all)
    throw usageError("Which agent?", `Name agents, or all with --all. Agents: ${AGENT_NAMES.join(", ")}.`);
  const integrations = await Promise.all((names.length === 0 ? AGENT_NAMES : names).map(integrationOf));
  if (!all)
    return integrations.map((integration) => ({
      integration,
      settings: chosenSettings(integration, places, invocation),
    }));
  return integrations.flatMap((integration) =>
    installationOf(integration, places)
      .own.map(readable)
      .filter(({ events }) => events.length > 0)
      .map((settings) => ({ integration, settings })),
  );
}

type Uninstalled = Awaited<ReturnType<typeof uninstall>>;

async function uninstall({ integration, settings }: Chosen, places: SettingsPlaces, dry: boolean) {
  const change = planUninstall(integration, settings, places);
  const { file } = settings;
  const backup = dry ? undefined : await applyUninstall(change, places);
  return {
    agent: integration.adapter.name,
    file,
    changed: changes(change),
    still_in: installationOf(integration, places)
      .installed.filter((other) => other.file !== file)
      .map((other) => ({ scope: other.place, file: other.file })),
    backup,
    diff: dry ? settingsDiff(settings, change.after) : undefined,
  };
}

function show(done: readonly Uninstalled[], invocation: Invocation): void {
  const { screen, cwd } = invocation;
  if (done.length === 0) screen.print("Tenterhook is not installed in any agent here.");
  for (const { agent, file, changed, still_in, diff, backup } of done) {
    const path = shortPath(file, cwd);
    if (diff !== undefined) screen.print(...(diff.length === 0 ? [`${path} would not change.`] : diff));
    else
      screen.print(
        changed
          ? `${agent}: Tenterhook was removed from ${path}.`
          : `${agent}: Tenterhook is not installed in ${path}.`,
        ...asItWas(invocation, backup),
      );
    if (flagOption(invocation, "all")) continue;
    for (const other of still_in)
      screen.print(
        yellow(
          `  It is still installed in ${shortPath(other.file, cwd)}: tenterhook uninstall ${agent} ${other.scope === "managed" ? "--managed" : `--${other.scope}`}.`,
        ),
      );
  }
}
