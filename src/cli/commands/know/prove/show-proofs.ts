import type { Integration } from "../../../../adapters/integration.ts";
import type { Proof } from "../../../../know/prove/proof.ts";
import type { Screen } from "../../../command-line/screen/screen.ts";
import { counted, hanging, harmless, padded } from "../../../command-line/screen/text.ts";
import type { Finding } from "../../integrations/doctor/checks.ts";

export interface ProvenAgent {
  readonly integration: Integration;
  readonly program: string;
  readonly version: string;
  readonly scenarios: readonly Proof[];
}

const RESULT_WIDTH = 14;

/** Shows what agents did: a line for what was obeyed, and one for each thing that was not. */
export function showProofs(
  agents: readonly ProvenAgent[],
  leftOut: readonly string[],
  seconds: number,
  screen: Screen,
): void {
  const { dim } = screen.paint;
  const titles = agents.map(({ integration, version }) => `${integration.table.title} ${version}`);
  const margin = Math.max(20, ...titles.map((title) => title.length + 3)) + 2;
  for (const [at, agent] of agents.entries())
    for (const [line, [result, text]] of rowsOf(agent, screen).entries())
      screen.print(
        hanging(
          padded(line === 0 ? `  ${titles[at]}` : "", margin) + result,
          text,
          screen.width,
          margin + RESULT_WIDTH,
        ),
      );
  if (agents.length > 0) screen.print("");
  for (const sentence of leftOut) screen.print(dim(`  ${sentence}`));
  if (leftOut.length > 0) screen.print("");
  const obey = agents.filter(({ scenarios }) =>
    scenarios.every(({ result }) => result === "obeyed" || result === "degraded"),
  ).length;
  const tried = agents.reduce((sum, { scenarios }) => sum + scenarios.length, 0);
  screen.print(
    agents.length === 0
      ? `  No agent was proved.${leftOut.length === 0 ? " None that Tenterhook can start is on this machine; tenterhook install lists them." : ""}`
      : `  ${obey} of ${counted(agents.length, "agent")} ${obey === 1 ? "obeys" : "obey"}. ${counted(tried, "scenario")} in ${seconds.toFixed(0)} s; nothing outside a temporary folder was touched.`,
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

function rowsOf(
  { integration, version, scenarios }: ProvenAgent,
  { paint }: Screen,
): readonly (readonly [string, string])[] {
  const { green, red, yellow, dim } = paint;
  const { title, evidence } = integration.table;
  const of = (result: Proof["result"]) => scenarios.filter((one) => one.result === result);
  const obeyed = of("obeyed").map(({ name }) => name);
  const broken = new Map<string, Proof[]>();
  for (const proof of [...of("ignored"), ...of("not_reached")]) {
    const key = `${proof.result} ${proof.why}`;
    broken.set(key, [...(broken.get(key) ?? []), proof]);
  }
  const rows: (readonly [string, string])[] = [];
  if (obeyed.length > 0) rows.push([green("✓ obeyed"), obeyed.join(", ")]);
  for (const { name, why = "" } of of("degraded")) rows.push([yellow("~ weaker"), `${name}: ${why}`]);
  for (const proofs of broken.values()) {
    const [{ result, why = "", way_out } = { result: "ignored" }] = proofs;
    const names = proofs.length === scenarios.length ? "" : `${proofs.map(({ name }) => name).join(", ")}: `;
    rows.push([red(result === "ignored" ? "✗ ignored" : "✗ not reached"), `${names}${why}`]);
    if (way_out !== undefined) rows.push(["", way_out]);
  }
  if (version !== evidence.version)
    rows.push(["", dim(`Tenterhook was tried with ${title} ${evidence.version}, not with this version.`)]);
  return rows;
}
