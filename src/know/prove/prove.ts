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
import { copyConfiguration, makeThrowaway, settingsIn, type Throwaway } from "./throwaway.ts";

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

/** The events for which the agent's settings call us; empty where we are not installed. */
export function enteredEvents(integration: Integration, places: SettingsPlaces): readonly WantedEvent[] {
  return settingsIn(integration, places).flatMap(({ text }) =>
    orElse([], () => integration.settings.entered(text)),
  );
}

/** Starts the agent in throw-away folders, and says what it does with what rules decide. */
export async function prove(proven: Proven): Promise<readonly Proof[]> {
  const { integration, real, signal } = proven;
  const names = [...SCENARIOS, PROMPT_SCENARIO].map(({ name }) => name);
  const everywhere = ({ why, way_out }: Fault): readonly Proof[] =>
    names.map((name) => ({ name, result: "not_reached", why, way_out }));
  const entered = enteredEvents(integration, real);
  const { title } = integration.table;
  const { name } = integration.adapter;
  if (entered.length === 0)
    return everywhere({
      why: `Tenterhook is not installed in ${title} here`,
      way_out: `tenterhook install ${name}`,
    });
  const config = await loadConfig({ cwd: real.root, environment: { ...real.environment }, signal });
  const fault = await inThrowaway(proven, async (folder) => {
    configure(folder, SCENARIOS);
    return programFault(integration, entered, folder, signal);
  });
  if (fault !== undefined) return everywhere(fault);
  const [together, prompt, own] = await Promise.all([
    tried(proven, config, SCENARIOS),
    tried(proven, config, [PROMPT_SCENARIO]),
    triedOwn(proven, config),
  ]);
  const first = together[0];
  // What keeps the agent from asking us about one call keeps it from asking about any.
  if (first?.result === "not_reached")
    return everywhere({ why: first.why ?? "", way_out: first.way_out ?? "" });
  // An agent may have ended early: what was not obeyed gets a run of its own.
  const again: Proof[] = [];
  for (const [at, proof] of together.entries()) {
    const scenario = SCENARIOS[at];
    const isSure = proof.result === "obeyed" || proof.result === "degraded" || scenario === undefined;
    again.push(...(isSure ? [proof] : await tried(proven, config, [scenario])));
  }
  return [...again, ...prompt, ...own];
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
    return Promise.all(
      able.map((scenario) =>
        judged(
          proven,
          scenario,
          run,
          needs.unheard.find(({ hook }) => hook === hookOf(scenario.name)),
        ),
      ),
    );
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
  const entered = enteredEvents(integration, places);
  const isThere = (list: readonly WantedEvent[], event: WantedEvent) =>
    list.some((one) => one.native === event.native && asksAboutShell(integration, one));
  const missing = needed.filter((event) => {
    const isEntered = entered.some(({ native }) => native === event.native);
    return !isThere(entered, event) && !(isEntered && isThere(own, event));
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

async function judged(
  proven: Proven,
  scenario: Scenario,
  run: ProofRun,
  unheard: Unheard | undefined,
): Promise<Proof> {
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
  return { name, result: "ignored", ...(await whyIgnored(proven, scenario)) };
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
    (one) => one.gate && one.native === shellEvent(integration) && asksAboutShell(integration, one),
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
    const why = `touch canary-own: ${action}${by === undefined ? `, ${record.runs.length} hooks asked` : ` by ${by}`}`;
    const isObeyed =
      run.made("canary-own") === (action === "continue") || record.decision?.input !== undefined;
    return [{ name: OWN, result: isObeyed ? "obeyed" : "ignored", why }];
  });
}
