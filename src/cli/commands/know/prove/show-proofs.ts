import type { Integration } from "../../../../adapters/integration.ts";
import type { Finding } from "../../../../install/finding.ts";
import type { OwnCode } from "../../../../know/prove/own-code.ts";
import { isFine, type Proof } from "../../../../know/prove/proof.ts";
import type { Screen } from "../../../command-line/screen/screen.ts";
import { counted, hanging, harmless, padded } from "../../../command-line/screen/text.ts";

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

/** Shows what one agent did, as soon as that is known: a line for what was obeyed, and one for each thing that was not. */
export function showProven(agent: ProvenAgent, wide: number, screen: Screen): void {
  const { integration, version, scenarios, with_mine } = agent;
  const own = [...rowsOf(scenarios, screen), ...untried(integration, version, screen)];
  const tries = [
    { title: `${integration.table.title} ${version}`, rows: own },
    ...(with_mine === undefined
      ? []
      : [{ title: "  with your plug-ins", rows: withMineRows(with_mine.scenarios, screen) }]),
  ];
  const margin = Math.max(20, wide, ...tries.map(({ title }) => title.length + 3)) + 2;
  for (const { title, rows } of tries)
    for (const [line, [result, text]] of rows.entries())
      screen.print(
        hanging(
          padded(line === 0 ? `  ${title}` : "", margin) + result,
          text,
          screen.width,
          margin + RESULT_WIDTH,
        ),
      );
}

/** Shows who obeys, and why others were not tried. */
export function showSummary(
  agents: readonly ProvenAgent[],
  leftOut: readonly string[],
  seconds: number,
  screen: Screen,
): void {
  if (agents.length > 0) screen.print("");
  for (const sentence of leftOut) screen.print(screen.paint.dim(`  ${sentence}`));
  if (leftOut.length > 0) screen.print("");
  const obey = agents.filter((agent) =>
    triesOf(agent).every(({ scenarios }) => scenarios.every(isFine)),
  ).length;
  const tried = agents.flatMap(triesOf).reduce((sum, { scenarios }) => sum + scenarios.length, 0);
  screen.print(
    agents.length === 0
      ? `  No agent was proved.${leftOut.length === 0 ? " None that Tenterhook can start is on this machine; tenterhook install lists them." : ""}`
      : `  ${obey} of ${counted(agents.length, "agent")} ${agents.length === 1 || obey === 1 ? "obeys" : "obey"}. ${counted(tried, "scenario")} in ${seconds.toFixed(0)} s; nothing outside a temporary folder was touched.`,
  );
}

/** Shows what is wrong with hooks themselves, one line each. */
export function showWeakHooks(findings: readonly Finding[], { print, paint, width }: Screen): void {
  const margin = Math.max(0, ...findings.map(({ about }) => about.length)) + 6;
  for (const { level, about, message } of findings) {
    const mark = level === "error" ? paint.red("✗") : paint.yellow("~");
    print(hanging(`  ${mark} ${paint.bold(about)}`, harmless(message), width, margin));
  }
  if (findings.length > 0) print("");
}

type Row = readonly [result: string, text: string];

function untried({ table }: Integration, version: string, { paint }: Screen): readonly Row[] {
  const { title, evidence } = table;
  if (version === evidence.version) return [];
  return [["", paint.dim(`Tenterhook was tried with ${title} ${evidence.version}, not with this version.`)]];
}

function withMineRows(scenarios: readonly Proof[], screen: Screen): readonly Row[] {
  if (scenarios.length > 0) return rowsOf(scenarios, screen);
  return [[screen.paint.dim("- not tried"), "They are tried together only after each was obeyed alone."]];
}

function rowsOf(scenarios: readonly Proof[], { paint }: Screen): readonly Row[] {
  const { green, red, yellow } = paint;
  const of = (result: Proof["result"]) => scenarios.filter((one) => one.result === result);
  const obeyed = of("obeyed").map(({ name }) => name);
  const broken = new Map<string, Proof[]>();
  for (const proof of [...of("ignored"), ...of("not_reached")]) {
    const key = `${proof.result} ${proof.why}`;
    broken.set(key, [...(broken.get(key) ?? []), proof]);
  }
  const rows: Row[] = [];
  if (obeyed.length > 0) rows.push([green("✓ obeyed"), obeyed.join(", ")]);
  for (const { name, why = "" } of of("degraded")) rows.push([yellow("~ weaker"), `${name}: ${why}`]);
  for (const proofs of broken.values()) {
    const [{ result, why = "", way_out } = { result: "ignored" }] = proofs;
    const names = proofs.length === scenarios.length ? "" : `${proofs.map(({ name }) => name).join(", ")}: `;
    rows.push([red(result === "ignored" ? "✗ ignored" : "✗ not reached"), `${names}${why}`]);
    if (way_out !== undefined) rows.push(["", way_out]);
  }
  return rows;
}
