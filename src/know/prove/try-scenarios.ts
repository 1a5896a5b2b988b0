import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import type { Integration, SettingsPlaces } from "../../adapters/integration.ts";
import { PROJECT_PROGRAM } from "../../adapters/settings/hook-command.ts";
import { type Config, loadConfig } from "../../config.ts";
import { installationOf } from "../../install/installation.ts";
import { needsOf, type Unheard, unsupportedTexts } from "../../install/needs.ts";
import { orElse } from "../../install/settings-files.ts";
import { configFolder } from "../../node/user-folders.ts";
import { completeEntries, shortenTimeouts } from "./complete-entries.ts";
import { whyUnreached } from "./diagnose.ts";
import type { Proof, Proven } from "./proof.ts";
import { type ProofRun, recordOf, runAgent } from "./run-agent.ts";
import { canaryConfig, hookOf, type Scenario, type Start, scriptFor } from "./scenarios.ts";
import { inThrowaway, type Throwaway } from "./throwaway.ts";

export async function tried(
  proven: Proven,
  own: Config,
  scenarios: readonly Scenario[],
): Promise<readonly Proof[]> {
  const { driver, integration, signal, onRun } = proven;
  const able = scenarios.filter(({ step }) => step === undefined || step(driver) !== undefined);
  if (able.length === 0) return [];
  return inThrowaway(proven, async (folder) => {
    configure(folder, able);
    const { places, environment } = folder;
    const config = await loadConfig({ cwd: places.root, environment, signal });
    const needs = needsOf(config, integration);
    completeEntries(integration, places, needs.events, needsOf(own, integration).events);
    onRun(able.map(({ name }) => name).join(", "));
    const started = prepareStart(able[0]?.start ?? {}, integration, folder);
    const run = await runAgent(proven, scriptFor(driver, able), started);
    const offered = able.filter(({ needsTool }) => {
      const tool = needsTool?.(driver);
      return tool === undefined || run.tools.includes(tool);
    });
    return offered.map((scenario) => {
      const unheard = needs.unheard.find(({ hook }) => hook === hookOf(scenario.name));
      return judged(proven, scenario, run, unheard);
    });
  });
}

/** Gives the folder the rules of scenarios as its configuration. */
export function configure({ environment }: Throwaway, scenarios: readonly Scenario[]): void {
  writeFileSync(join(configFolder(environment), "hooks.yaml"), canaryConfig(scenarios));
}

export function judged(
  proven: Proven,
  scenario: Scenario,
  run: ProofRun,
  unheard: Unheard | undefined,
): Proof {
  const { integration, real } = proven;
  const { name, event, word, obeyed, refuses, closed = () => true } = scenario;
  const { title } = integration.table;
  if (scenario.broken !== undefined) return judgedBroken(proven, scenario, run);
  const record = recordOf(run.records, event, word);
  if (unheard !== undefined && record !== undefined && closed(run)) {
    const [text] = unsupportedTexts([unheard]);
    return {
      name,
      result: "degraded",
      why: `${title} ${text?.text.replace(/ \(hooks? [^)]*\)/, "").replace(/\.$/, "")}`,
    };
  }
  if (record !== undefined && obeyed(run)) return { name, result: "obeyed" };
  if (record === undefined && scenario.start?.folder !== undefined && isReadInRootOnly(integration, real))
    return {
      name,
      result: "degraded",
      why: `${title} reads the project's settings in the project's own folder only; install it with --user`,
    };
  // An agent that had to be ended may not have come to it.
  if (record === undefined || (run.endless && closed(run)))
    return { name, result: "not_reached", ...whyUnreached({ ...proven, run }) };
  return { name, result: "ignored", ...(refuses === true && !closed(run) ? { ran: true } : {}) };
}

function judgedBroken(
  { integration, driver }: Proven,
  { name, broken, obeyed }: Scenario,
  run: ProofRun,
): Proof {
  if (obeyed(run)) return { name, result: "obeyed" };
  const why = `If ${broken}, ${integration.table.title} runs the call (its limit, not ours)`;
  if (driver.opensWhen?.includes(name) === true) return { name, result: "degraded", why };
  return { name, result: "ignored", why };
}

/** True when nothing but the project's settings calls us, and the agent does not find them from a folder below. */
function isReadInRootOnly(integration: Integration, real: SettingsPlaces): boolean {
  const { startsInRoot } = integration;
  const { own } = installationOf(integration, real);
  const isFound = startsInRoot === "unless git" && existsSync(join(real.root, ".git"));
  return (
    startsInRoot !== false &&
    !isFound &&
    !own.some(({ scope, events }) => scope === "user" && events.length > 0)
  );
}

/** Changes a throw-away folder so that the agent starts there in this way. */
function prepareStart(
  { folder, program, seconds }: Start,
  integration: Integration,
  throwaway: Throwaway,
): Throwaway & { readonly cwd: string } {
  const { places } = throwaway;
  const cwd = join(places.root, folder ?? "");
  mkdirSync(cwd, { recursive: true });
  if (seconds !== undefined) shortenTimeouts(integration, places, seconds);
  if (program === undefined) return { ...throwaway, cwd };
  const PATH = withProgram(program, throwaway);
  const environment = { ...throwaway.environment, PATH };
  return { ...throwaway, cwd, environment, places: { ...places, environment } };
}

/** A PATH with all that is on the PATH but our program, and with this one in its place. */
function withProgram(script: string | false, { places, environment, folder }: Throwaway): string {
  const [programs, own] = [join(folder, "programs"), join(places.root, PROJECT_PROGRAM)];
  mkdirSync(programs);
  const isOwn = existsSync(own);
  rmSync(own, { force: true });
  if (script !== false)
    for (const file of [join(programs, "tenterhook"), ...(isOwn ? [own] : [])]) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, script, { mode: 0o755 });
    }
  const folders = (environment.PATH ?? "").split(delimiter).map((one, at) => {
    if (!existsSync(join(one, "tenterhook"))) return one;
    const copy = join(folder, `path-${at}`);
    mkdirSync(copy);
    for (const name of orElse([], () => readdirSync(one)))
      if (name !== "tenterhook") symlinkSync(join(one, name), join(copy, name));
    return copy;
  });
  return [programs, ...folders].join(delimiter);
}
