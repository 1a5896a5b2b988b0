import { USUAL_ADAPTER } from "../../../adapters/agents.ts";
import type { SettingsPlaces } from "../../../adapters/integration.ts";
import { integrationOf } from "../../../adapters/integrations.ts";
import { unguardedText } from "../../../adapters/unguarded-agents.ts";
import { loadCommittedConfig } from "../../../config/load.ts";
import type { Config } from "../../../config.ts";
import { AGENT_NAMES } from "../../../core/events/agent-names.ts";
import type { Finding } from "../../../install/finding.ts";
import { foundUnguarded } from "../../../install/found-agents.ts";
import type { Judgement } from "../../../install/judgement.ts";
import { needsOf } from "../../../install/needs.ts";
import { monitorClient } from "../../../monitor/client.ts";
import { countSpooled, spoolFolder } from "../../../monitor/report/spool.ts";
import { droppedFrom } from "../../../monitor/report/spool-files.ts";
import { PACKAGE_VERSION } from "../../../node/package-version.ts";
import { flagOption, type Invocation } from "../../command-line/command.ts";
import { progress } from "../../command-line/screen/progress.ts";
import { counted } from "../../command-line/screen/text.ts";
import { guardBy, guardRows, guardSentence } from "../../configured-hooks/guard.ts";
import { loadInForce } from "../../configured-hooks/load-hooks.ts";
import { projectPlaces } from "../../integrations/chosen-settings.ts";
import { whyNotAsked } from "../../integrations/daemon-decides.ts";
import { droppedText } from "../monitor/status.ts";
import { type CheckedAgent, checkAgent, SYNC } from "./doctor/agent.ts";
import { hookFindings, programFinding, stateFindings } from "./doctor/checks.ts";
import { lastGateFindings } from "./doctor/last-gate.ts";
import { twiceFindings } from "./doctor/twice.ts";

/** What is right and wrong with connected agents, trust, scripts and the daemon. */
export async function examine(invocation: Invocation) {
  const { screen, json, cwd, environment } = invocation;
  const done = json ? () => {} : progress(screen, "Looking at configuration and agents…");
  const loaded = await loadInForce(invocation);
  const { config } = loaded;
  try {
    const places = await projectPlaces(invocation);
    const committed = await loadCommittedConfig(invocation).catch(() => undefined);
    // With nothing known of an unreadable file, the needs of hooks are unknown; the rest is checked.
    const known = config.broken?.last_good === false ? undefined : config;
    const agents = await Promise.all(
      AGENT_NAMES.map((name) => agentNamed(name, known, committed, places, invocation)),
    );
    const { judgement } = await guardBy(loaded, invocation);
    const dropped = droppedFrom(spoolFolder(environment));
    const findings = [
      programFinding(places.root, cwd, environment),
      guardFinding(judgement, cwd),
      ...(known === undefined ? [] : hookFindings(loaded, cwd)),
      ...stateFindings(environment),
      await monitorFinding(environment, config.settings.daemon),
      ...(dropped === undefined
        ? []
        : [{ level: "warning", about: "monitor", message: droppedText(dropped) } as const]),
      ...calledByNone(agents, scopeOption(known, committed)),
      ...syncedTogether(
        agents.filter(isHere).flatMap((agent) => agent.findings),
        flagOption(invocation, "verbose") || json,
      ),
      ...foundUnguarded(invocation).map(
        (one): Finding => ({ level: "warning", about: one.name, message: unguardedText(one) }),
      ),
    ];
    return { version: PACKAGE_VERSION, agents: agents.map(({ findings: _, ...rest }) => rest), findings };
  } finally {
    done();
    await loaded.hooks.close();
  }
}

/** What one command mends in several agents is one finding, unless all is shown. */
function syncedTogether(findings: readonly Finding[], isWhole: boolean): readonly Finding[] {
  const same = findings.filter(({ fix, level }) => fix === SYNC && level !== "note");
  const abouts = [...new Set(same.map(({ about }) => about))];
  if (isWhole || abouts.length < 2) return findings;
  const level = same.some((one) => one.level === "error") ? "error" : "warning";
  const message = `The settings of ${abouts.join(", ")} do not call Tenterhook as the hooks need.`;
  return [{ level, about: "agents", message, fix: SYNC }, ...findings.filter((one) => !same.includes(one))];
}

/** Whether the project is guarded; what keeps it from that is told by the findings that follow. */
function guardFinding(judgement: Judgement, cwd: string): Finding {
  const rows = guardRows(judgement, cwd, Date.now());
  const level = rows.some(({ kind }) => kind === "guarded") ? "ok" : "warning";
  return { level, about: "guard", message: guardSentence(judgement, cwd) };
}

/** False for an agent that is neither on this machine nor has settings of ours, or settings with a problem. */
function isHere({ agent, version, settings, findings }: CheckedAgent): boolean {
  if (agent === USUAL_ADAPTER.name || version !== undefined) return true;
  return (
    settings.some(({ events }) => events.length > 0) ||
    findings.some(({ level }) => level === "warning" || level === "error")
  );
}

/** A warning when agents are here and none of them calls us. */
function calledByNone(agents: readonly CheckedAgent[], option: string): readonly Finding[] {
  const [first] = agents.filter(({ version }) => version !== undefined);
  const isCalled = agents.some(({ settings }) => settings.some(({ events }) => events.length > 0));
  if (first === undefined || isCalled) return [];
  const message = "No agent here calls Tenterhook, so no hook runs in one.";
  return [{ level: "warning", about: "agents", message, fix: `tenterhook install ${first.agent}${option}` }];
}

/** Hooks that are all the user's own go for every folder, and so must the settings that call them. */
function scopeOption(config: Config | undefined, committed: Config | undefined): string {
  if (config === undefined || config.definitions.length === 0) return "";
  return committed?.definitions.length === 0 ? " --user" : "";
}

async function agentNamed(
  name: string,
  config: Config | undefined,
  committed: Config | undefined,
  places: SettingsPlaces,
  invocation: Invocation,
) {
  const integration = await integrationOf(name);
  if (config === undefined) return checkAgent(integration, places, undefined, "", invocation);
  const needs = needsOf(config, integration, committed);
  const option = scopeOption(config, committed);
  const checked = await checkAgent(integration, places, needs, option, invocation);
  const { cwd } = invocation;
  const { allow = [] } = config.settings.mods;
  const more = [
    ...lastGateFindings(integration, places, checked.version, allow, cwd),
    ...twiceFindings(integration, config, places, cwd),
  ];
  return { ...checked, findings: [...checked.findings, ...more] };
}

/** Whether the monitor's daemon runs, and whether it decides calls of `tenterhook hook`. */
async function monitorFinding(environment: NodeJS.ProcessEnv, isOn: boolean): Promise<Finding> {
  const about = "monitor";
  // One that does not answer as it should counts as none.
  const info = await monitorClient(environment)
    .info()
    .catch(() => undefined);
  if (info === undefined) {
    const waiting = countSpooled(environment);
    const more =
      waiting === 0 ? "" : ` ${counted(waiting, "event")} ${waiting === 1 ? "waits" : "wait"} for it.`;
    const message = `No daemon runs, and none is needed: hooks decide without it.${more}`;
    return { level: "ok", about, message };
  }
  const runs = `The daemon runs (process ${info.pid}, version ${info.version})`;
  const problem = whyNotAsked(info, environment, isOn);
  return problem === undefined
    ? { level: "ok", about, message: `${runs}, and tenterhook hook asks it first.` }
    : { level: "warning", about, message: `${runs}, but hooks decide without it, more slowly: ${problem}` };
}
