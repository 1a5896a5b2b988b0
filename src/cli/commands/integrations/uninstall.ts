import type { Integration, SettingsPlaces } from "../../../adapters/integration.ts";
import { integrationOf } from "../../../adapters/integrations.ts";
import { AGENT_NAMES } from "../../../core/events/agent-names.ts";
import { applyUninstall } from "../../../install/apply.ts";
import { settingsDiff } from "../../../install/change-files.ts";
import type { Finding } from "../../../install/finding.ts";
import { installationOf, readable } from "../../../install/installation.ts";
import { changes, planUninstall } from "../../../install/plan.ts";
import type { SettingsFile } from "../../../install/settings-files.ts";
import { confirm } from "../../command-line/ask-line.ts";
import { type CommandRun, flagOption, type Invocation } from "../../command-line/command.ts";
import { mustBePerson } from "../../command-line/person.ts";
import { findings } from "../../command-line/screen/report.ts";
import { shortPath, yellow } from "../../command-line/screen/text.ts";
import { usageError } from "../../command-line/usage-error.ts";
import { guardBlock } from "../../configured-hooks/guard.ts";
import { asItWas } from "../../integrations/as-it-was.ts";
import { chosenSettings, projectPlaces } from "../../integrations/chosen-settings.ts";
import { undoHint, undoImport } from "./import/undo.ts";
import { diffBlock } from "./install/show.ts";

export const run: CommandRun = async (invocation) => {
  const { screen, json, cwd } = invocation;
  if (flagOption(invocation, "everything"))
    return (await import("./uninstall/everything.ts")).uninstallEverything(invocation);
  const isDry = flagOption(invocation, "dryRun");
  if (!isDry) await mustBePerson(invocation);
  const places = await projectPlaces(invocation);
  const done: Done[] = [];
  for (const chosen of await chosenFiles(places, invocation))
    done.push(await uninstall(chosen, places, isDry));
  const blocks = [
    done.length === 0 && "Tenterhook is not installed in any agent here.",
    isDry && done.map(({ removed }) => diffBlock(removed, cwd)),
    findings(
      done.flatMap((one) => findingsOf(one, isDry, invocation)),
      true,
    ),
    asItWas(invocation, ...done.map(({ removed }) => removed.backup)),
  ];
  const report = { uninstalled: done.map(({ removed }) => removed) };
  if (json || isDry) return { json: report, blocks };
  screen.print(blocks);
  await offerOriginals(report.uninstalled, places, invocation);
  return { json: report, blocks: await guardBlock(invocation) };
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
    screen.print(yellow(hint));
    if (!screen.interactive || !(await confirm("Put them back now?", invocation))) continue;
    // Nobody is asked twice.
    const options = { ...invocation.options, yes: true };
    const undone = await undoImport(await integrationOf(agent), places, { ...invocation, options });
    if (typeof undone === "object") screen.print(undone.blocks);
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

interface Done extends Chosen {
  readonly removed: Uninstalled;
}

type Uninstalled = Awaited<ReturnType<typeof uninstall>>["removed"];

async function uninstall({ integration, settings }: Chosen, places: SettingsPlaces, dry: boolean) {
  const change = planUninstall(integration, settings, places);
  const { file } = settings;
  const backup = dry ? undefined : await applyUninstall(change, places);
  const removed = {
    agent: integration.adapter.name,
    file,
    changed: changes(change),
    still_in: installationOf(integration, places)
      .installed.filter((other) => other.file !== file)
      .map((other) => ({ scope: other.place, file: other.file })),
    backup,
    diff: dry ? settingsDiff(settings, change.after) : undefined,
  };
  return { integration, settings, removed };
}

/** What was taken out, and where it still is. */
function findingsOf(
  { integration, removed }: Done,
  isDry: boolean,
  invocation: Invocation,
): readonly Finding[] {
  const { title: about } = integration.table;
  const { agent, file, changed, still_in } = removed;
  const path = shortPath(file, invocation.cwd);
  const message = changed
    ? `Tenterhook was removed from ${path}.`
    : `Tenterhook is not installed in ${path}.`;
  const left = flagOption(invocation, "all") ? [] : still_in;
  return [
    ...(isDry ? [] : [{ level: "ok", about, message } as const]),
    ...left.map(
      (other): Finding => ({
        level: "warning",
        about,
        message: `It is still installed in ${shortPath(other.file, invocation.cwd)}`,
        fix: `tenterhook uninstall ${agent} --${other.scope}`,
      }),
    ),
  ];
}
