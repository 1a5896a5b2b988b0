import { resolve } from "node:path";
import type { Integration } from "../../../adapters/integration.ts";
import { integrationOf } from "../../../adapters/integrations.ts";
import { ConfigError } from "../../../config.ts";
import { AGENT_NAMES, type AgentName } from "../../../core/events/agent-names.ts";
import { replaceFile } from "../../../install/change-files.ts";
import type { Finding } from "../../../install/finding.ts";
import { programVersion } from "../../../install/found-agents.ts";
import { installationOf } from "../../../install/installation.ts";
import { rememberProofs } from "../../../install/proofs.ts";
import { placesIn } from "../../../install/settings-files.ts";
import { DRIVERS } from "../../../know/prove/drivers.ts";
import type { OwnCode } from "../../../know/prove/own-code.ts";
import { refusedUnderOwn } from "../../../know/prove/own-configuration.ts";
import { isFine, type Proof, type Proven } from "../../../know/prove/proof.ts";
import { prove } from "../../../know/prove/prove.ts";
import { proveWithMine } from "../../../know/prove/with-mine.ts";
import { findProgram } from "../../../node/process/find-program.ts";
import { type CommandRun, flagOption, type Invocation, textOption } from "../../command-line/command.ts";
import { progress } from "../../command-line/screen/progress.ts";
import { findings } from "../../command-line/screen/report.ts";
import { shortPath } from "../../command-line/screen/text.ts";
import { guardBlock } from "../../configured-hooks/guard.ts";
import { loadHooks } from "../../configured-hooks/load-hooks.ts";
import { asItWas } from "../../integrations/as-it-was.ts";
import { projectPlaces } from "../../integrations/chosen-settings.ts";
import { hookFindings } from "../integrations/doctor/checks.ts";
import { ownCodeToRun } from "./prove/own-code.ts";
import { type ProvenAgent, provenBlock, summaryBlock, triesOf } from "./prove/show-proofs.ts";

export const run: CommandRun = async (invocation) => {
  const { screen, json, signal, environment } = invocation;
  const started = performance.now();
  const weak = await weakHooks(invocation);
  const { agents, left_out } = await chosenAgents(invocation);
  const mine = flagOption(invocation, "withMine") ? await ownCodeToRun(agents, invocation) : new Map();
  if (mine === undefined) {
    screen.print("Nothing was started.");
    return 1;
  }
  if (!json && weak.length > 0) screen.print(findings(weak), "");
  const done: ProvenAgent[] = [];
  const wide = Math.max(0, ...agents.map(({ table }) => table.title.length + VERSION_WIDTH));
  for (const integration of agents) {
    const proven = await proveAgent(integration, mine.get(integration) ?? [], invocation);
    done.push(proven);
    if (!json) screen.print(provenBlock(proven, wide));
  }
  signal.throwIfAborted();
  await remember(done, environment);
  const page = textOption(invocation, "html");
  if (page !== undefined) await writePage(done, page, invocation);
  const isObeyed = done.every((agent) => triesOf(agent).every(({ scenarios }) => scenarios.every(isFine)));
  // Who names an agent wants to know that it obeys.
  const isTried = invocation.names.length === 0 || left_out.length === 0;
  const isFirm = weak.every(({ level }) => level !== "error");
  return {
    json: {
      hooks: weak,
      agents: done.map(({ integration, program, version, scenarios, with_mine }) => ({
        agent: integration.adapter.name,
        program,
        version,
        scenarios: scenarios.map(proofAsJson),
        ...(with_mine === undefined
          ? {}
          : { with_mine: { ...with_mine, scenarios: with_mine.scenarios.map(proofAsJson) } }),
      })),
    },
    blocks: [
      summaryBlock(done, left_out, (performance.now() - started) / 1000),
      !json && (await guardBlock(invocation, "  ")),
    ],
    code: isTried && isObeyed && isFirm ? 0 : 1,
  };
};

/** Keeps what an agent does in this version; its plug-ins may be others tomorrow. */
async function remember(done: readonly ProvenAgent[], environment: NodeJS.ProcessEnv): Promise<void> {
  const time = new Date().toISOString();
  const proofs = done.map(({ integration, version, scenarios }) => {
    return [integration.adapter.name, { time, version, obeys: scenarios.every(isFine) }] as const;
  });
  await rememberProofs(environment, Object.fromEntries(proofs));
}

/** Proves an agent that has just got our hooks, and shows that it was kept from running a line; says nothing itself. */
export async function proveInstalled(
  integration: Integration,
  line: string | undefined,
  invocation: Invocation,
) {
  const agent = await proveAgent(integration, [], invocation);
  await remember([agent], invocation.environment);
  const obeys = agent.scenarios.every(isFine);
  const proven = obeys && line !== undefined ? await provenFor(integration, invocation) : undefined;
  return { ...agent, obeys, refused: proven && line && (await refusedUnderOwn(proven, line)) };
}

/** Three spaces, and a version such as `2.1.327`. */
const VERSION_WIDTH = 11;

function proofAsJson({ name, result, why, way_out }: Proof) {
  return {
    name,
    result,
    ...(why === undefined ? {} : { why: way_out === undefined ? why : `${why}. ${way_out}` }),
  };
}

/** The hooks that do not guard, however well agents obey. Those of an invalid configuration are not known. */
async function weakHooks(invocation: Invocation): Promise<readonly Finding[]> {
  const loaded = await loadHooks(invocation).catch((error: unknown) => {
    if (error instanceof ConfigError) return undefined;
    throw error;
  });
  if (loaded === undefined) return [];
  const findings = hookFindings(loaded, invocation.cwd);
  await loaded.hooks.close();
  return findings.filter(
    ({ about, level }) => about.startsWith("hook ") && (level === "error" || level === "warning"),
  );
}

async function writePage(done: readonly ProvenAgent[], name: string, invocation: Invocation): Promise<void> {
  const { cwd, screen } = invocation;
  const { reportPage } = await import("../../../monitor/dashboard/report.ts");
  const agents = done.flatMap(triesOf);
  const file = resolve(cwd, name);
  const backup = await replaceFile(file, reportPage({ view: "prove", found: { agents } }), invocation, 0o600);
  screen.tell(`  ${shortPath(file, cwd)} shows all of it.`, ...asItWas(invocation, backup));
}

/** The agents that are named; else those on this machine that call us. And why others are left out, a sentence each. */
async function chosenAgents(invocation: Invocation) {
  const { names, cwd, environment } = invocation;
  const places = await projectPlaces(invocation);
  const agents: Integration[] = [];
  const left_out: string[] = [];
  for (const integration of await Promise.all((names.length > 0 ? names : AGENT_NAMES).map(integrationOf))) {
    const { adapter, table, program } = integration;
    const isHere = findProgram(program, cwd, environment) !== undefined;
    const isDriven = Object.hasOwn(DRIVERS, adapter.name);
    const isInstalled = installationOf(integration, places).installed.length > 0;
    if (isHere && isDriven && (isInstalled || names.length > 0)) agents.push(integration);
    else if (!isHere && (names.length > 0 || isInstalled))
      left_out.push(`${table.title} is not on this machine: there is no program ${program} on the PATH.`);
    else if (isHere && !isDriven && (names.length > 0 || isInstalled))
      left_out.push(`${table.title} can't be proved yet: there is no driver that starts it.`);
    else if (isHere && isDriven)
      left_out.push(`${table.title} does not call Tenterhook here: tenterhook install ${adapter.name}`);
  }
  return { agents, left_out };
}

async function proveAgent(
  integration: Integration,
  mine: readonly OwnCode[],
  invocation: Invocation,
): Promise<ProvenAgent> {
  const { screen, json } = invocation;
  const { program: name, table } = integration;
  const version = (await programVersion(integration, invocation)) ?? "of an unknown version";
  const given = await provenFor(integration, invocation);
  if (given === undefined) return { integration, program: name, version, scenarios: [] };
  const { program } = given;
  let done = (): void => undefined;
  const onRun = (what: string): void => {
    done();
    if (!json) done = progress(screen, `${table.title}: ${what}`);
  };
  const proven = { ...given, onRun };
  const scenarios = await prove(proven);
  const again = mine.length === 0 ? [] : await proveWithMine({ ...proven, mine }, scenarios);
  done();
  const with_mine = mine.length === 0 ? {} : { with_mine: { code: mine, scenarios: again } };
  return { integration, program, version, scenarios, ...with_mine };
}

async function provenFor(integration: Integration, invocation: Invocation): Promise<Proven | undefined> {
  const { cwd, environment, signal } = invocation;
  const { adapter, program } = integration;
  const driver = DRIVERS[adapter.name as AgentName];
  if (driver === undefined) return undefined;
  const { root } = await projectPlaces(invocation);
  return {
    driver,
    integration,
    program: findProgram(program, cwd, environment) ?? program,
    real: placesIn(root, environment),
    signal,
    onRun: () => undefined,
  };
}
