import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import type { Fault } from "../../adapters/integration.ts";
import { isHookHandler } from "../../adapters/settings/call-without-shell.ts";
import { valueAt } from "../../adapters/settings/json-edit.ts";
import { loadConfig } from "../../config.ts";
import { isRecord, listOf } from "../../core/base/json.ts";
import { installationOf } from "../../install/installation.ts";
import { otherHooks, programFault } from "./diagnose.ts";
import { triedLastGate } from "./last-gate.ts";
import { triedOwn } from "./own-configuration.ts";
import { MOST_MILLISECONDS, type Proof, type Proven } from "./proof.ts";
import { runAgent } from "./run-agent.ts";
import { RUNS, SCENARIOS, type Scenario, scriptFor } from "./scenarios.ts";
import { inThrowaway } from "./throwaway.ts";
import { configure, tried } from "./try-scenarios.ts";

/** Starts the agent in throw-away folders, and says what it does with what rules decide. */
export async function prove(proven: Proven): Promise<readonly Proof[]> {
  const { integration, real, signal } = proven;
  const everywhere = ({ why, way_out }: Fault): readonly Proof[] =>
    SCENARIOS.map(({ name }) => ({ name, result: "not_reached", why, way_out }));
  const { title } = integration.table;
  const { name } = integration.adapter;
  const { own: files, installed } = installationOf(integration, real);
  if (installed.length === 0)
    return everywhere({
      why: `Tenterhook is not installed in ${title} here`,
      way_out: `tenterhook install ${name}`,
    });
  const config = await loadConfig({ cwd: real.root, environment: { ...real.environment }, signal });
  const fault = await inThrowaway(proven, async (folder) => {
    configure(folder, SCENARIOS);
    const ours = files.flatMap(({ entries }) => entries).filter(({ isOurs }) => isOurs);
    return programFault(proven, ours, folder);
  });
  if (fault !== undefined) return everywhere(fault);
  const began = performance.now();
  // Each has removed its folder then, whatever happened to another.
  const [own = [], lastGate = [], ...runs] = await atOnce(AT_ONCE, [
    () => triedOwn(proven, config),
    () => triedLastGate(proven),
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
      performance.now() - began < MOST_MILLISECONDS.agent &&
      proof.result === "not_reached" &&
      scenario !== undefined &&
      scenario.start === undefined
    )
      proofs.push(...(await tried(proven, config, [scenario])));
    else proofs.push(proof);
  }
  return withReason(proven, [...proofs, ...own, ...lastGate]);
}

const AT_ONCE = Math.max(3, availableParallelism());

async function withReason(proven: Proven, proofs: readonly Proof[]): Promise<readonly Proof[]> {
  /** One run tells it for all that is decided on an event. */
  const faults = new Map<string, Fault>();
  const explained: Proof[] = [];
  for (const proof of proofs) {
    const scenario = SCENARIOS.find(({ name }) => name === proof.name);
    if (proof.result !== "ignored" || proof.why !== undefined || scenario === undefined) {
      explained.push(proof);
      continue;
    }
    const fault = faults.get(scenario.event) ?? (await whyIgnored(proven, scenario));
    faults.set(scenario.event, fault);
    explained.push({ ...proof, ...fault });
  }
  return explained;
}

/** Runs it without the hooks of others, to see whether they are the reason. */
async function whyIgnored(proven: Proven, scenario: Scenario): Promise<Fault> {
  const { driver, integration, real, onRun } = proven;
  const { title } = integration.table;
  const others = otherHooks(integration, real, scenario.event);
  const plain = {
    why: `Tenterhook decided, and ${title} did not do it`,
    way_out: `Update ${title}, or tell us: this is not what it did when we tried it.`,
  };
  if (others.length === 0) return plain;
  return inThrowaway(proven, async (folder) => {
    configure(folder, [scenario]);
    for (const { file, text } of installationOf(integration, folder.places).own)
      if (text !== undefined) writeFileSync(file, JSON.stringify(onlyOurs(valueAt(text, []))));
    onRun(`${scenario.name} without other hooks`);
    const run = await runAgent(proven, scriptFor(driver, [scenario]), folder);
    if (!scenario.obeyed(run)) return plain;
    return {
      why: `another hook keeps ${title} from doing what Tenterhook decided: ${others.join(", ")}`,
      way_out: `Mend its reply, or move it to Tenterhook: tenterhook import ${integration.adapter.name}`,
    };
  });
}

function onlyOurs(value: unknown): unknown {
  if (!isRecord(value) || !isRecord(value.hooks)) return value;
  const hooks = Object.entries(value.hooks).map(([event, groups]) => [
    event,
    listOf(groups).map((group) =>
      isRecord(group)
        ? { ...group, hooks: listOf(group.hooks).filter((one) => isRecord(one) && isHookHandler(one)) }
        : group,
    ),
  ]);
  return { ...value, hooks: Object.fromEntries(hooks) };
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
