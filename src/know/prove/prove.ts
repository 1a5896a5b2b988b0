import { availableParallelism } from "node:os";
import type { Integration, SettingsPlaces } from "../../adapters/integration.ts";
import { loadConfig } from "../../config.ts";
import {
  asManaged,
  managedSettings,
  orElse,
  type SettingsFile,
} from "../../hook/installed/settings-files.ts";
import { programFault } from "./diagnose.ts";
import type { Fault } from "./driver.ts";
import { ourEntries, settingsIn } from "./entries.ts";
import { triedOwn } from "./own-configuration.ts";
import { MOST_MILLISECONDS, type Proof, type Proven } from "./proof.ts";
import { RUNS, SCENARIOS } from "./scenarios.ts";
import { inThrowaway } from "./throwaway.ts";
import { configure, tried } from "./try-scenarios.ts";
import { whyIgnored } from "./why-ignored.ts";

/** True when the agent's settings call us. */
export function isInstalled(integration: Integration, places: SettingsPlaces): boolean {
  const managed = orElse(undefined, () => managedSettings(integration));
  const installed = ({ settings }: Integration, { text }: SettingsFile) =>
    orElse([], () => settings.installed(text)).length > 0;
  return (
    settingsIn(integration, places).some((file) => installed(integration, file)) ||
    (managed !== undefined && installed(asManaged(integration), managed))
  );
}

/** Starts the agent in throw-away folders, and says what it does with what rules decide. */
export async function prove(proven: Proven): Promise<readonly Proof[]> {
  const { integration, real, signal } = proven;
  const everywhere = ({ why, way_out }: Fault): readonly Proof[] =>
    SCENARIOS.map(({ name }) => ({ name, result: "not_reached", why, way_out }));
  const { title } = integration.table;
  const { name } = integration.adapter;
  if (!isInstalled(integration, real))
    return everywhere({
      why: `Tenterhook is not installed in ${title} here`,
      way_out: `tenterhook install ${name}`,
    });
  const config = await loadConfig({ cwd: real.root, environment: { ...real.environment }, signal });
  const fault = await inThrowaway(proven, async (folder) => {
    configure(folder, SCENARIOS);
    return programFault(proven, ourEntries(integration, real), folder);
  });
  if (fault !== undefined) return everywhere(fault);
  const began = performance.now();
  // Each has removed its folder then, whatever happened to another.
  const [own = [], ...runs] = await atOnce(AT_ONCE, [
    () => triedOwn(proven, config),
    ...RUNS.map((scenarios) => () => tried(proven, config, scenarios)),
  ]);
  const proofs: Proof[] = [];
  const [deny] = runs.flat();
  const isNeverAsked = deny?.result === "not_reached";
  for (const proof of runs.flat()) {
    const scenario = SCENARIOS.find((one) => one.name === proof.name);
    // An agent that never asks us runs everything, whatever is wrong with our program.
    if (isNeverAsked && scenario?.broken !== undefined) proofs.push({ ...deny, name: proof.name });
    // One that asks may have ended before it came to this. Nobody waits for a second run of one that hangs.
    else if (
      !isNeverAsked &&
      !isLate(began) &&
      proof.result === "not_reached" &&
      scenario?.start === undefined
    )
      proofs.push(
        ...(await tried(
          proven,
          config,
          SCENARIOS.filter((one) => one === scenario),
        )),
      );
    else proofs.push(proof);
  }
  return withReason(proven, [...proofs, ...own]);
}

function isLate(began: number): boolean {
  return performance.now() - began > MOST_MILLISECONDS.agent;
}

const AT_ONCE = Math.max(3, availableParallelism());

/** Says why something was ignored. */
async function withReason(proven: Proven, proofs: readonly Proof[]): Promise<readonly Proof[]> {
  const ignored = proofs.find(({ result, why }) => result === "ignored" && why === undefined);
  const scenario = SCENARIOS.find(({ name }) => name === ignored?.name);
  if (scenario === undefined) return proofs;
  const fault = await whyIgnored(proven, scenario);
  return proofs.map((proof) =>
    proof.result === "ignored" && proof.why === undefined ? { ...proof, ...fault } : proof,
  );
}

/** Does some jobs at once. When one fails, those under way end before the failure is told, and no other begins. */
async function atOnce<Result>(
  most: number,
  jobs: readonly (() => Promise<Result>)[],
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const left = [...jobs.entries()];
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [at, job] = next;
      try {
        results[at] = await job();
      } catch (error) {
        left.length = 0;
        throw error;
      }
    }
  };
  const workers = Array.from({ length: most }, work);
  await Promise.allSettled(workers);
  await Promise.all(workers);
  return results;
}
