import type { Integration } from "../../../../adapters/integration.ts";
import type { OwnCode } from "../../../../know/prove/own-code.ts";
import { isFine, type Proof } from "../../../../know/prove/proof.ts";
import type { Block } from "../../../command-line/screen/report.ts";
import { counted, dim, green, hanging, padded, red, yellow } from "../../../command-line/screen/text.ts";

export interface ProvenAgent {
  readonly integration: Integration;
  readonly program: string;
  readonly version: string;
  readonly scenarios: readonly Proof[];
  /** The person's own plug-ins, and what the agent did with them; absent where none were tried. */
  readonly with_mine?: { readonly code: readonly OwnCode[]; readonly scenarios: readonly Proof[] };
}

/** What was tried with an agent: alone, and with the person's own plug-ins. */
export function triesOf({ integration: { table }, version, scenarios, with_mine }: ProvenAgent) {
  const alone = { title: table.title, version, scenarios };
  if (with_mine === undefined) return [alone];
  return [alone, { title: `${table.title} with your plug-ins`, version, scenarios: with_mine.scenarios }];
}

const RESULT_WIDTH = 14;

/** What one agent did, as soon as that is known: a line for what was obeyed, and one for each thing that was not. */
export function provenBlock(
  { integration, version, scenarios, with_mine }: ProvenAgent,
  wide: number,
): Block {
  const tries = [
    {
      title: `${integration.table.title} ${version}`,
      results: [...resultsOf(scenarios), ...untried(integration, version)],
    },
    ...(with_mine === undefined
      ? []
      : [{ title: "  with your plug-ins", results: withMineResults(with_mine.scenarios) }]),
  ];
  const margin = Math.max(20, wide, ...tries.map(({ title }) => title.length + 3)) + 2;
  return ({ width }) =>
    tries.flatMap(({ title, results }) =>
      results.map(([result, text], at) =>
        hanging(padded(at === 0 ? `  ${title}` : "", margin) + result, text, width, margin + RESULT_WIDTH),
      ),
    );
}

/** Who obeys, and why others were not tried. */
export function summaryBlock(
  agents: readonly ProvenAgent[],
  leftOut: readonly string[],
  seconds: number,
): Block {
  const obey = agents.filter((agent) =>
    triesOf(agent).every(({ scenarios }) => scenarios.every(isFine)),
  ).length;
  const reached = agents
    .flatMap(triesOf)
    .flatMap(({ scenarios }) => scenarios.filter(({ result }) => result !== "not_reached"));
  return [
    agents.length > 0 && "",
    leftOut.map((sentence) => dim(`  ${sentence}`)),
    leftOut.length > 0 && "",
    agents.length === 0
      ? `  No agent was proved.${leftOut.length === 0 ? " None that Tenterhook can start is on this machine; tenterhook install lists them." : ""}`
      : `  ${obey} of ${counted(agents.length, "agent")} ${agents.length === 1 || obey === 1 ? "obeys" : "obey"}. ${counted(reached.length, "scenario")} in ${seconds.toFixed(0)} s; nothing outside a temporary folder was touched.`,
  ];
}

type Result = readonly [result: string, text: string];

function untried({ table }: Integration, version: string): readonly Result[] {
  const { title, evidence } = table;
  if (version === evidence.version) return [];
  return [["", dim(`Tenterhook was tried with ${title} ${evidence.version}, not with this version.`)]];
}

function withMineResults(scenarios: readonly Proof[]): readonly Result[] {
  if (scenarios.length > 0) return resultsOf(scenarios);
  return [[dim("- not tried"), "They are tried together only after each was obeyed alone."]];
}

function resultsOf(scenarios: readonly Proof[]): readonly Result[] {
  const of = (result: Proof["result"]) => scenarios.filter((one) => one.result === result);
  const obeyed = of("obeyed").map(({ name }) => name);
  const broken = new Map<string, Proof[]>();
  for (const proof of [...of("ignored"), ...of("not_reached")]) {
    const key = `${proof.result} ${proof.why}`;
    broken.set(key, [...(broken.get(key) ?? []), proof]);
  }
  const results: Result[] = [];
  if (obeyed.length > 0) results.push([green("✓ obeyed"), obeyed.join(", ")]);
  for (const { name, why = "" } of of("degraded")) results.push([yellow("~ weaker"), `${name}: ${why}`]);
  for (const proofs of broken.values()) {
    const [{ result, why = "", way_out } = { result: "ignored" }] = proofs;
    const names = proofs.length === scenarios.length ? "" : `${proofs.map(({ name }) => name).join(", ")}: `;
    results.push([red(result === "ignored" ? "✗ ignored" : "✗ not reached"), `${names}${why}`]);
    if (way_out !== undefined) results.push(["", way_out]);
  }
  return results;
}
