import { AGENT_NAMES, USUAL_ADAPTER } from "../../../adapters/agents.ts";
import type { SettingsPlaces } from "../../../adapters/integration.ts";
import { integrationOf } from "../../../adapters/integrations.ts";
import { ConfigError } from "../../../config.ts";
import { needsOf } from "../../../hook/installed/needs.ts";
import { PACKAGE_VERSION } from "../../../node/package-version.ts";
import type { CommandRun, Invocation } from "../../command-line/command.ts";
import { placed } from "../../command-line/failures.ts";
import { counted, hanging, harmless } from "../../command-line/screen/text.ts";
import { type LoadedHooks, loadHooks } from "../../configured-hooks/load-hooks.ts";
import { projectPlaces } from "../../integrations/chosen-settings.ts";
import { type CheckedAgent, checkAgent } from "./doctor/agent.ts";
import { type Finding, hookFindings, programFinding, stateFindings } from "./doctor/checks.ts";
import { monitorFinding } from "./doctor/daemon.ts";
import { twiceFindings } from "./doctor/twice.ts";

export const run: CommandRun = async (invocation) => {
  const { screen, json, cwd, environment } = invocation;
  const loaded = await loadHooks(invocation).catch((error: unknown) => {
    if (error instanceof ConfigError) return error;
    throw error;
  });
  try {
    const places = await projectPlaces(invocation);
    const agents = await Promise.all(AGENT_NAMES.map((name) => agentNamed(name, loaded, places, invocation)));
    const findings = [
      programFinding(places.root, cwd, environment),
      ...(loaded instanceof ConfigError ? brokenFindings(loaded, cwd) : hookFindings(loaded, cwd)),
      ...stateFindings(environment),
      await monitorFinding(environment),
      ...agents.filter(isHere).flatMap((agent) => agent.findings),
    ];
    const bad = findings.filter(({ level }) => level === "error").length;
    if (json)
      screen.json({
        version: PACKAGE_VERSION,
        agents: agents.map(({ findings: _, ...rest }) => rest),
        findings,
      });
    else show(findings, invocation);
    return bad === 0 ? undefined : 1;
  } finally {
    if (!(loaded instanceof ConfigError)) await loaded.hooks.close();
  }
};

/** False for an agent that is neither on this machine nor has settings of ours, or settings with a problem. */
function isHere({ agent, version, settings, findings }: CheckedAgent): boolean {
  if (agent === USUAL_ADAPTER.name || version !== undefined) return true;
  return settings.some(({ events }) => events.length > 0) || findings.some(({ level }) => level !== "ok");
}

/** With an invalid configuration the needs of hooks are unknown; the rest is checked. */
async function agentNamed(
  name: string,
  loaded: LoadedHooks | ConfigError,
  places: SettingsPlaces,
  invocation: Invocation,
) {
  const integration = await integrationOf(name);
  if (loaded instanceof ConfigError) return checkAgent(integration, places, undefined, invocation);
  const { config } = loaded;
  const checked = await checkAgent(integration, places, needsOf(config, integration), invocation);
  const twice = twiceFindings(integration, config, places, invocation.cwd);
  return { ...checked, findings: [...checked.findings, ...twice] };
}

function brokenFindings({ problems }: ConfigError, cwd: string): readonly Finding[] {
  return problems.map((problem) => ({
    level: "error",
    about: "configuration",
    message: placed({ ...problem }, cwd),
  }));
}

function show(findings: readonly Finding[], { screen }: Invocation): void {
  const { green, yellow, red, bold } = screen.paint;
  const marks = { ok: green("ok     "), warning: yellow("warning"), error: red("error  ") };
  for (const { level, about, message } of findings)
    screen.print(hanging(marks[level], `${bold(about)}  ${harmless(message)}`, screen.width, 9));
  const bad = findings.filter(({ level }) => level === "error").length;
  const doubtful = findings.filter(({ level }) => level === "warning").length;
  screen.print(
    "",
    bad + doubtful === 0
      ? green("No problems found.")
      : `${counted(bad, "error")}, ${counted(doubtful, "warning")}`,
  );
}
