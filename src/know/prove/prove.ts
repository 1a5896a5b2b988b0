import type { Integration, SettingsPlaces } from "../../adapters/integration.ts";
import { loadConfig } from "../../config.ts";
import { orElse } from "../../hook/installed/settings-files.ts";
import { programFault } from "./diagnose.ts";
import type { Fault } from "./driver.ts";
import { ourEntries, settingsIn } from "./entries.ts";
import { triedOwn } from "./own-configuration.ts";
import type { Proof, Proven } from "./proof.ts";
import { PROMPT_SCENARIO, SCENARIOS } from "./scenarios.ts";
import { inThrowaway } from "./throwaway.ts";
import { configure, tried } from "./try-scenarios.ts";
import { whyIgnored } from "./why-ignored.ts";

/** True when the agent's settings call us. */
export function isInstalled(integration: Integration, places: SettingsPlaces): boolean {
  return settingsIn(integration, places).some(
    ({ text }) => orElse([], () => integration.settings.installed(text)).length > 0,
  );
}

/** Starts the agent in throw-away folders, and says what it does with what rules decide. */
export async function prove(proven: Proven): Promise<readonly Proof[]> {
  const { integration, real, signal } = proven;
  const names = [...SCENARIOS, PROMPT_SCENARIO].map(({ name }) => name);
  const everywhere = ({ why, way_out }: Fault): readonly Proof[] =>
    names.map((name) => ({ name, result: "not_reached", why, way_out }));
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
    return programFault(integration, ourEntries(integration, real), folder, signal);
  });
  if (fault !== undefined) return everywhere(fault);
  const runs = [
    tried(proven, config, SCENARIOS),
    tried(proven, config, [PROMPT_SCENARIO]),
    triedOwn(proven, config),
  ] as const;
  // Each has removed its folder then, whatever happened to another.
  await Promise.allSettled(runs);
  const [together, prompt, own] = await Promise.all(runs);
  const proofs: Proof[] = [];
  for (const proof of together) {
    const scenario = SCENARIOS.find((one) => one.name === proof.name);
    // An agent may have ended before it came to this. Where it asks us about nothing, it would be the same again.
    const isLost = proof.result === "not_reached" && together[0]?.result !== "not_reached";
    proofs.push(...(isLost && scenario !== undefined ? await tried(proven, config, [scenario]) : [proof]));
  }
  return withReason(proven, [...proofs, ...prompt, ...own]);
}

/** Says why something was ignored. */
async function withReason(proven: Proven, proofs: readonly Proof[]): Promise<readonly Proof[]> {
  const ignored = proofs.find(({ result }) => result === "ignored");
  const scenario = [...SCENARIOS, PROMPT_SCENARIO].find(({ name }) => name === ignored?.name);
  if (scenario === undefined) return proofs;
  const fault = await whyIgnored(proven, scenario);
  return proofs.map((proof) =>
    proof.result === "ignored" && proof.why === undefined ? { ...proof, ...fault } : proof,
  );
}
