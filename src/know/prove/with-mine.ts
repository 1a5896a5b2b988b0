import type { Fault } from "../../adapters/integration.ts";
import { loadConfig } from "../../config.ts";
import type { OwnCode } from "./own-code.ts";
import { isFine, type Proof, type Proven } from "./proof.ts";
import { RUNS, type Scenario } from "./scenarios.ts";
import { tried } from "./try-scenarios.ts";

/** With more plug-ins than these nobody waits until each was tried by itself. */
const MOST_SINGLE = 6;

type ProvenWith = Proven & { readonly mine: readonly OwnCode[] };

/** Tries again what the agent obeys alone, beside the person's own plug-ins, and says which of them lifts it. */
export async function proveWithMine(proven: ProvenWith, alone: readonly Proof[]): Promise<readonly Proof[]> {
  const { real, signal, onRun } = proven;
  const config = await loadConfig({ cwd: real.root, environment: { ...real.environment }, signal });
  const again = (mine: readonly OwnCode[], scenarios: readonly Scenario[]) =>
    tried({ ...proven, mine, onRun: (what) => onRun(`${what} with ${namesOf(mine)}`) }, config, scenarios);
  const proofs: Proof[] = [];
  for (const scenarios of RUNS)
    proofs.push(
      ...(await again(
        proven.mine,
        scenarios.filter((one) => isTriedAgain(one, alone)),
      )),
    );
  const lifted = proofs.find((proof) => !isFine(proof));
  const [scenario] = RUNS.flat().filter(({ name }) => name === lifted?.name);
  if (scenario === undefined) return proofs;
  const isGuilty = async (one: OwnCode) => !(await again([one], [scenario])).every(isFine);
  const guilty: OwnCode[] = [];
  if (proven.mine.length > 1 && proven.mine.length <= MOST_SINGLE)
    for (const one of proven.mine) if (await isGuilty(one)) guilty.push(one);
  const found = guilty.length > 0 ? guilty : proven.mine;
  return proofs.map((proof) => (isFine(proof) ? proof : { ...proof, ...whyLifted(proof, found, proven) }));
}

/** What is obeyed without them, in the project's folder and with our program in order. */
function isTriedAgain({ name, broken, start }: Scenario, alone: readonly Proof[]): boolean {
  const isObeyed = alone.some((proof) => proof.name === name && proof.result === "obeyed");
  return isObeyed && broken === undefined && start?.folder === undefined;
}

function whyLifted({ result, ran }: Proof, found: readonly OwnCode[], { integration, real }: Proven): Fault {
  const { table, lastGate, judgesRewrites } = integration;
  const does =
    ran === true
      ? "runs what was refused"
      : result === "ignored"
        ? "does not do what was decided"
        : "does not ask Tenterhook";
  const isSeated = judgesRewrites?.(real) === true;
  return {
    why: `${table.title} obeys alone; with your plug-ins it ${does}: ${namesOf(found)}`,
    way_out:
      lastGate === undefined || isSeated
        ? `Read ${found.map(({ file }) => file).join(", ")}; remove what you do not trust.`
        : lastGate.without,
  };
}

function namesOf(code: readonly OwnCode[]): string {
  return code.map(({ name }) => name).join(", ");
}
