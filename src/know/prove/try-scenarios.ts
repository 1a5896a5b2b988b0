import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Config, loadConfig } from "../../config.ts";
import { needsOf, type Unheard, unsupportedTexts } from "../../hook/installed/needs.ts";
import { configFolder } from "../../node/user-folders.ts";
import { completeEntries } from "./complete-entries.ts";
import { whyUnreached } from "./diagnose.ts";
import type { Proof, Proven } from "./proof.ts";
import { recordOf, runAgent } from "./run-agent.ts";
import { canaryConfig, hookOf, type ProofRun, type Scenario, scriptFor } from "./scenarios.ts";
import { inThrowaway, type Throwaway } from "./throwaway.ts";

/** Tries scenarios in one run. */
export async function tried(
  proven: Proven,
  own: Config,
  scenarios: readonly Scenario[],
): Promise<readonly Proof[]> {
  const { driver, integration, program, signal, onRun } = proven;
  const able = scenarios.filter(({ step }) => step === undefined || step(driver) !== undefined);
  return inThrowaway(proven, async (folder) => {
    configure(folder, able);
    const { places, environment } = folder;
    const config = await loadConfig({ cwd: places.root, environment, signal });
    const needs = needsOf(config, integration);
    completeEntries(integration, places, needs.events, needsOf(own, integration).events);
    onRun(able.map(({ name }) => name).join(", "));
    const run = await runAgent(driver, program, scriptFor(driver, able), folder, signal);
    return able.map((scenario) => {
      const unheard = needs.unheard.find(({ hook }) => hook === hookOf(scenario.name));
      return judged(proven, scenario, run, unheard);
    });
  });
}

/** Gives the folder the rules of scenarios as its configuration. */
export function configure({ environment }: Throwaway, scenarios: readonly Scenario[]): void {
  writeFileSync(join(configFolder(environment), "hooks.yaml"), canaryConfig(scenarios));
}

function judged(proven: Proven, scenario: Scenario, run: ProofRun, unheard: Unheard | undefined): Proof {
  const { integration, driver, real } = proven;
  const { name, event, word, obeyed, closed = () => true } = scenario;
  const { title } = integration.table;
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
  if (record === undefined)
    return { name, result: "not_reached", ...whyUnreached({ driver, integration, real, run }) };
  return { name, result: "ignored" };
}
