import { existsSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Integration, SettingsPlaces } from "../../../../adapters/integration.ts";
import { integrationOf } from "../../../../adapters/integrations.ts";
import { recordedInstallations } from "../../../../config/find/installations.ts";
import { AGENT_NAMES } from "../../../../core/events/agent-names.ts";
import { applyUninstall } from "../../../../install/apply.ts";
import { installedProgram } from "../../../../install/called-program.ts";
import { installationOf, readable } from "../../../../install/installation.ts";
import { planUninstall } from "../../../../install/plan.ts";
import { placesIn } from "../../../../install/settings-files.ts";
import { regularText } from "../../../../node/files/regular-file.ts";
import { cacheFolder, configFolder, homeFolder, stateFolder } from "../../../../node/user-folders.ts";
import { mayGoOn } from "../../../command-line/ask-line.ts";
import type { Invocation } from "../../../command-line/command.ts";
import { mustBePerson } from "../../../command-line/person.ts";
import type { Report } from "../../../command-line/screen/report.ts";
import { shortPath } from "../../../command-line/screen/text.ts";
import { usageError } from "../../../command-line/usage-error.ts";
import { isUsersStarter } from "../../../configured-hooks/starter.ts";
import { projectPlaces } from "../../../integrations/chosen-settings.ts";
import { endDaemon } from "../../monitor/daemon/connect.ts";
import { importedNames, importProblems, undoImport } from "../import/undo.ts";

/** `tenterhook uninstall --everything`: nothing of ours is left but the configuration, which people wrote. */
export async function uninstallEverything(invocation: Invocation): Promise<Report> {
  const { environment, signal, cwd } = invocation;
  mustStandAlone(invocation);
  await mustBePerson(invocation);
  const short = (path: string) => shortPath(path, cwd);
  const folders = [stateFolder(environment), cacheFolder(environment)];
  const roots = await projectsWithUs(invocation);
  const question = `Take Tenterhook out of every agent in ${roots.map(short).join(", ")}, put back the hooks that were imported, and delete ${folders.map(short).join(" and ")}, with the journal, sessions and backups?`;
  if (!(await mayGoOn(question, invocation, undefined, "--yes agrees.")))
    return { json: { files: [], folders: [] }, blocks: "Nothing was changed.", code: 1 };
  const agents = await Promise.all(AGENT_NAMES.map(integrationOf));
  const all = roots.flatMap((root) => agents.map((agent) => ({ agent, root })));
  // Nothing is written while something is in the way.
  for (const { agent, root } of all) mustGo(agent, root, environment);
  const files: string[] = [];
  for (const { agent, root } of all) {
    files.push(...(await takeOut(agent, placesIn(root, environment))));
    // Without our entries its settings are as they were, to the byte.
    await putBack(agent, root, invocation);
  }
  const starter = removedStarter(environment);
  await endDaemon(environment, signal);
  const removeFolders = (): void => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: MOST_RETRIES });
    // Where XDG variables say otherwise, the folders above are not ours.
    const { XDG_STATE_HOME, XDG_CACHE_HOME } = environment;
    for (const [at, base] of [XDG_STATE_HOME, XDG_CACHE_HOME].entries())
      if (base === undefined) removeEmpty(dirname(folders[at] ?? ""), [homeFolder(environment)]);
  };
  removeFolders();
  // The code that this process has compiled is stored when it ends.
  if (environment === process.env) {
    if (atExit === undefined) process.once("exit", () => atExit?.());
    atExit = removeFolders;
  }
  return {
    json: { files, folders },
    blocks: [
      files.map((file) => `Tenterhook was removed from ${short(file)}.`),
      folders.map((folder) => `${short(folder)} was deleted.`),
      starter === undefined
        ? `Your configuration stays: .tenterhook in projects, and ${short(configFolder(environment))}.`
        : `${short(starter)}, which you had not changed, was deleted; .tenterhook in projects stays.`,
      // npx keeps none.
      installedProgram(cwd, environment) !== undefined && "npm uninstall -g tenterhook removes the program.",
    ],
  };
}

/** What the end of this process removes once more. */
let atExit: (() => void) | undefined;

/** @throws TenterhookError `usage_error` for what would leave something. */
function mustStandAlone({ names, options }: Invocation): void {
  const [name] = names;
  const [option] = Object.keys(options).filter(
    (one) => options[one] !== undefined && options[one] !== false && !BESIDE.includes(one),
  );
  if (name !== undefined || option !== undefined)
    throw usageError(
      `--everything takes all agents and files, so ${name ?? `--${dashed(option ?? "")}`} does not fit.`,
      "Leave one of them out.",
    );
}

/** Options that any command may have, and the one that agrees. */
const BESIDE = ["everything", "yes", "json", "quiet", "debug"];

function dashed(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** This project, and all others in which an agent calls us. */
async function projectsWithUs(invocation: Invocation): Promise<readonly string[]> {
  const recorded = recordedInstallations(invocation.environment).flatMap(({ project = [] }) => project);
  return [...new Set([(await projectPlaces(invocation)).root, ...recorded])];
}

/**
 * @throws TenterhookError `settings_unreadable` where an agent's settings with our entries can't be read; `usage_error`
 * where hooks of the person's own can't be put back: without us they would run nowhere.
 */
function mustGo(agent: Integration, root: string, environment: NodeJS.ProcessEnv): void {
  for (const settings of installationOf(agent, placesIn(root, environment)).own)
    if (settings.text?.includes("tenterhook") === true) readable(settings);
  const [problem] = importProblems(agent, root, environment);
  if (problem !== undefined)
    throw usageError(problem, `Then: tenterhook import ${agent.adapter.name} --undo`);
}

/** Puts the person's own hooks back into an agent's settings. */
async function putBack(agent: Integration, root: string, invocation: Invocation): Promise<void> {
  const { environment } = invocation;
  if (importedNames(agent.adapter.name, root, environment).length === 0) return;
  await undoImport(agent, placesIn(root, environment), { ...invocation, json: true, options: { yes: true } });
}

/** Deletes the user's configuration where it is as `init` wrote it, and returns its path. */
function removedStarter(environment: NodeJS.ProcessEnv): string | undefined {
  const folder = configFolder(environment);
  const file = join(folder, "hooks.yaml");
  if (!isUsersStarter(regularText(file, MOST_BYTES) ?? "")) return undefined;
  rmSync(file, { force: true });
  removeEmpty(folder, [homeFolder(environment)]);
  return file;
}

const MOST_BYTES = 1_000_000;
/** The call of an agent that is just ending may still write there. */
const MOST_RETRIES = 5;

/** Takes us out of every file of an agent that calls us. Returns those that were changed. */
async function takeOut(agent: Integration, places: SettingsPlaces): Promise<readonly string[]> {
  const files: string[] = [];
  for (const settings of installationOf(agent, places).own) {
    if (settings.events.length === 0) continue;
    await applyUninstall(planUninstall(agent, settings, places), places);
    files.push(settings.file);
    if (!existsSync(settings.file)) removeEmpty(dirname(settings.file), [places.root, places.home]);
  }
  return files;
}

/** Removes a folder that is empty, and those above it, up to one of these. */
function removeEmpty(folder: string, until: readonly string[]): void {
  if (until.includes(folder) || folder === dirname(folder)) return;
  try {
    if (existsSync(folder)) rmdirSync(folder);
  } catch {
    return;
  }
  removeEmpty(dirname(folder), until);
}
