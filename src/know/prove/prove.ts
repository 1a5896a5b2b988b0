import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Integration, SettingsPlaces } from "../../adapters/integration.ts";
import { isHookHandler, type WantedEvent } from "../../adapters/settings/agent-settings.ts";
import { valueAt } from "../../adapters/settings/json-edit.ts";
import { type Config, grantTrust, loadConfig, reviewTrust } from "../../config.ts";
import { isRecord, listOf } from "../../core/base/json.ts";
import { needsOf, type Unheard, unsupportedTexts } from "../../hook/installed/needs.ts";
import { orElse, readSettings } from "../../hook/installed/settings-files.ts";
import type { JournalRecord } from "../../journal/record.ts";
import { finalAction } from "../../journal/verdict.ts";
import { configFolder } from "../../node/user-folders.ts";
import { asksAboutShell, otherHooks, programFault, shellEvent, whyUnreached } from "./diagnose.ts";
import type { Driver, Fault } from "./driver.ts";
import { type Entry, entriesIn, settingsIn } from "./entries.ts";
import { runAgent } from "./run-agent.ts";
import {
  canaryConfig,
  hookOf,
  PROMPT_SCENARIO,
  type ProofRun,
  SCENARIOS,
  type Scenario,
  scriptFor,
} from "./scenarios.ts";
import { copyConfiguration, makeThrowaway, type Throwaway } from "./throwaway.ts";

/** What an agent did in a scenario. */
export interface Proof {
  readonly name: string;
  readonly result: "obeyed" | "ignored" | "degraded" | "not_reached";
  readonly why?: string;
  readonly way_out?: string;
}

/** What is proved: one agent, with the settings and the configuration of one place. */
export interface Proven {
  readonly driver: Driver;
  readonly integration: Integration;
  /** The path of the agent's program. */
  readonly program: string;
  readonly real: SettingsPlaces;
  readonly signal: AbortSignal;
  /** Called when the agent is started. */
  readonly onRun: (what: string) => void;
}

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
    return programFault(integration, ours(integration, real), folder, signal);
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
  return proofs.map((proof) => (proof.result === "ignored" ? { ...proof, ...fault } : proof));
}

async function inThrowaway<Result>(
  { driver, integration, real }: Proven,
  use: (folder: Throwaway) => Promise<Result>,
): Promise<Result> {
  const folder = makeThrowaway(driver, integration, real);
  try {
    return await use(folder);
  } finally {
    folder.remove();
  }
}

function configure({ environment }: Throwaway, scenarios: readonly Scenario[]): void {
  writeFileSync(join(configFolder(environment), "hooks.yaml"), canaryConfig(scenarios));
}

function ours(integration: Integration, places: SettingsPlaces): readonly Entry[] {
  return entriesIn(integration, places).filter(({ isOurs }) => isOurs);
}

/** Tries scenarios in one run. */
async function tried(proven: Proven, own: Config, scenarios: readonly Scenario[]): Promise<readonly Proof[]> {
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

/**
 * Adds entries for events that the person's own hooks do not need, so that these can be tried as well. An entry that is
 * there stays as it is: it is what is proved.
 */
function completeEntries(
  integration: Integration,
  places: SettingsPlaces,
  needed: readonly WantedEvent[],
  own: readonly WantedEvent[],
): void {
  const { settings, trust } = integration;
  const there = ours(integration, places);
  const isThere = (list: readonly Pick<Entry, "event" | "matcher">[], native: string) =>
    list.some((one) => one.event === native && asksAboutShell(integration, one));
  const isMeant = own.map(({ native: event, matcher }) => ({ event, matcher }));
  const missing = needed.filter(({ native }) => {
    const isEntered = there.some(({ event }) => event === native);
    return !isThere(there, native) && !(isEntered && isThere(isMeant, native));
  });
  if (missing.length === 0) return;
  const file = integration.settingsFile("user", places);
  const before = orElse(undefined, () => readSettings(file));
  const isTrusting =
    trust !== undefined &&
    settingsIn(integration, places).every(
      (one) =>
        trust.untrusted(
          one,
          orElse(undefined, () => readSettings(trust.file(places))),
        ).length === 0,
    );
  mkdirSync(dirname(file), { recursive: true });
  const added: unknown = JSON.parse(settings.install(undefined, missing) ?? "{}");
  const known = orElse<unknown>({}, () => valueAt(before, []) ?? {});
  writeFileSync(file, JSON.stringify(joined(known, added)));
  if (!isTrusting) return;
  const record = orElse(undefined, () => readSettings(trust.file(places)));
  mkdirSync(dirname(trust.file(places)), { recursive: true });
  writeFileSync(trust.file(places), trust.grant({ file, text: readFileSync(file, "utf8") }, record) ?? "");
}

/** Two JSON values: the lists of the second behind those of the first. */
function joined(one: unknown, other: unknown): unknown {
  if (Array.isArray(one) && Array.isArray(other)) return [...one, ...other];
  if (!isRecord(one) || !isRecord(other)) return other;
  const keys = Object.keys({ ...one, ...other });
  return Object.fromEntries(
    keys.map((key) => [
      key,
      !(key in one) ? other[key] : !(key in other) ? one[key] : joined(one[key], other[key]),
    ]),
  );
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

function recordOf(records: readonly JournalRecord[], event: string, word: string): JournalRecord | undefined {
  return records.find(
    (one) => one.event.hook_event_name === event && JSON.stringify(one.event).includes(word),
  );
}

/** Runs it without the hooks of others, to see whether they are the reason. */
async function whyIgnored(proven: Proven, scenario: Scenario): Promise<Fault> {
  const { driver, integration, program, signal, real, onRun } = proven;
  const { title } = integration.table;
  const others = otherHooks(integration, real);
  const plain = {
    why: `Tenterhook decided, and ${title} did not do it`,
    way_out: `Update ${title}, or tell us: this is not what it did when we tried it.`,
  };
  if (others.length === 0) return plain;
  return inThrowaway(proven, async (folder) => {
    configure(folder, [scenario]);
    for (const { file, text } of settingsIn(integration, folder.places))
      if (text !== undefined) writeFileSync(file, JSON.stringify(onlyOurs(valueAt(text, []))));
    onRun(`${scenario.name} without other hooks`);
    const run = await runAgent(driver, program, scriptFor(driver, [scenario]), folder, signal);
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

const OWN = "own";

/** Tries the person's own configuration: the call that the agent really sends, decided by all rules in force. */
async function triedOwn(proven: Proven, config: Config): Promise<readonly Proof[]> {
  const { driver, integration, program, real, signal, onRun } = proven;
  const isNeeded = needsOf(config, integration).events.some(
    (one) =>
      one.gate &&
      one.native === shellEvent(integration) &&
      asksAboutShell(integration, { event: one.native, matcher: one.matcher }),
  );
  if (!isNeeded) return [];
  return inThrowaway(proven, async (folder) => {
    copyConfiguration(real, folder);
    const { places, environment } = folder;
    const reviewed = await reviewTrust({ cwd: real.root, environment: { ...real.environment }, signal });
    if (reviewed.state === "trusted")
      await grantTrust(await reviewTrust({ cwd: places.root, environment, signal }), { environment });
    onRun(OWN);
    const script = { prompt: "begin", steps: [driver.shell("touch canary-own")] };
    const run = await runAgent(driver, program, script, folder, signal);
    const record = recordOf(run.records, "PreToolUse", "canary-own");
    if (record === undefined)
      return [{ name: OWN, result: "not_reached", ...whyUnreached({ driver, integration, real, run }) }];
    const action = finalAction(record);
    const by = record.runs.find(
      ({ outcome }) => outcome !== undefined && outcome.action !== "continue",
    )?.name;
    const why = `touch canary-own: ${action}${by === undefined ? `, asked of ${record.runs.length}` : ` by ${by}`}`;
    const isObeyed =
      run.made("canary-own") === (action === "continue") || record.decision?.input !== undefined;
    return [{ name: OWN, result: isObeyed ? "obeyed" : "ignored", why }];
  });
}
