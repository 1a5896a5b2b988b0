import type { Bridge } from "../adapters/bridge.ts";
import type { Config } from "../config.ts";
import { PACKAGE_VERSION } from "../node/package-version.ts";
import { findProgram } from "../node/process/find-program.ts";
import { AGENT_NAMES, bridgeOf } from "./agents.ts";
import { BECOMES, needsOf } from "./bridges/needs.ts";
import { isOlder, programVersion } from "./bridges/program-version.ts";
import { type Checked, checkSettings } from "./bridges/settings-check.ts";
import type { CommandRun, Invocation } from "./command.ts";
import type { Finding } from "./doctor/finding.ts";
import { monitorFinding } from "./doctor/monitor.ts";
import { neverMatching } from "./doctor/never-matches.ts";
import { type LoadedHooks, loadHooks } from "./hooks/load-hooks.ts";
import { counted, hanging, harmless, shortPath } from "./screen/text.ts";

/** `tenterhook doctor`. */
export const run: CommandRun = async (invocation) => {
  const { screen, json } = invocation;
  const loaded = await loadHooks(invocation);
  try {
    const agents = await Promise.all(
      AGENT_NAMES.map(async (name) => checkAgent(await bridgeOf(name), loaded.config, invocation)),
    );
    const findings = [...ownFindings(loaded, invocation), ...agents.flatMap((agent) => agent.findings)];
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
    await loaded.hooks.close();
  }
};

/** What counts whatever the agent: ourselves, trust, and what hooks start. */
function ownFindings({ config, failing, hooks }: LoadedHooks, invocation: Invocation): readonly Finding[] {
  const { cwd, environment } = invocation;
  const found = findProgram("tenterhook", cwd, environment);
  const { trust, files } = config;
  const untrusted = new Set(
    config.definitions.flatMap(({ name, untrusted: why }) => (why === undefined ? [] : [name])),
  );
  return [
    found === undefined
      ? {
          level: "error",
          about: "tenterhook",
          message: `Version ${PACKAGE_VERSION} is running, but agents will not find it: there is no tenterhook on the PATH. Install it globally, or add its folder to the PATH.`,
        }
      : { level: "ok", about: "tenterhook", message: `Version ${PACKAGE_VERSION}; agents call ${found}.` },
    {
      level: "ok",
      about: "configuration",
      message: `${counted(hooks.list().length, "hook")} of ${counted(files.length, "file")}.`,
    },
    trust.state === "untrusted"
      ? {
          level: "warning",
          about: "trust",
          message: `${counted(trust.untrusted.length, "item")} of ${shortPath(trust.root, cwd)} not trusted, so that their hooks refuse: tenterhook trust shows what would run.`,
        }
      : {
          level: "ok",
          about: "trust",
          message: trust.state === "trusted" ? "Trusted." : "Nothing needs trust.",
        },
    ...failing
      .filter(({ name }) => !untrusted.has(name))
      .map(({ name, reason }): Finding => ({ level: "error", about: `hook ${name}`, message: reason })),
    ...neverMatching(config.definitions),
    monitorFinding(environment),
  ];
}

interface CheckedAgent {
  readonly agent: string;
  readonly version?: string;
  readonly settings: readonly Checked[];
  readonly findings: readonly Finding[];
}

async function checkAgent(bridge: Bridge, config: Config, invocation: Invocation): Promise<CheckedAgent> {
  const { adapter, title, startsInRoot, since } = bridge;
  const needs = needsOf(config, bridge);
  const { root } = config.trust;
  const [version, settings] = [
    await programVersion(bridge.program, invocation),
    checkSettings(bridge, needs, root, invocation.environment),
  ];
  const about = adapter.name;
  const installed = settings.filter(({ events }) => events.length > 0);
  const findings: Finding[] = [
    {
      level: "ok",
      about,
      message: version === undefined ? `${title} is not on the PATH.` : `${title} ${version}.`,
    },
  ];
  const add = (level: Finding["level"], message: string): void =>
    void findings.push({ level, about, message });
  if (version !== undefined && isOlder(version, since.version))
    add("warning", `${title} ${version} ${since.older}`);
  for (const { file, problem, events, missing, extra, outdated, off } of settings) {
    const path = shortPath(file, invocation.cwd);
    if (problem !== undefined) add("error", `${path}: ${problem}`);
    if (off !== undefined) add("error", `${path}: no hook runs, since ${off}.`);
    if (events.length === 0) continue;
    add("ok", `${path} calls us for ${events.join(", ")}.`);
    if (missing.length > 0)
      add("error", `${path} does not call us for ${missing.join(", ")}: tenterhook install --sync.`);
    if (extra.length > 0)
      add(
        "warning",
        `${path} calls us for ${extra.join(", ")}, which no hook needs: tenterhook install --sync.`,
      );
    if (outdated === true)
      add(
        "warning",
        `${path} calls us with other settings than the configuration needs (timeouts, tools): tenterhook install --sync.`,
      );
  }
  if (installed.length === 0) {
    if (version !== undefined)
      add("warning", `We are not installed in ${title}: tenterhook install ${about}.`);
    return { agent: about, ...(version === undefined ? {} : { version }), settings, findings };
  }
  if (installed.length > 1) {
    const files = installed.map(({ file }) => shortPath(file, invocation.cwd));
    add("ok", `We stand in ${files.join(" and ")}; a call that comes twice is decided once.`);
  }
  if (startsInRoot && invocation.cwd !== root && !installed.some(({ scope }) => scope === "user"))
    add(
      "error",
      `${title} started here reads no settings of ${shortPath(root, invocation.cwd)}, only those of this folder: tenterhook install ${about} --scope user.`,
    );
  if (needs.never_sent.length > 0)
    add("warning", `${title} never sends ${needs.never_sent.join(", ")}; hooks on these will not run there.`);
  for (const { hook, event, effect, becomes } of needs.unheard)
    add("warning", `${title} has no way to hear ${effect} on ${event} (hook ${hook}): ${BECOMES[becomes]}.`);
  return { agent: about, ...(version === undefined ? {} : { version }), settings, findings };
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
      ? green("Everything is in order.")
      : `${counted(bad, "error")}, ${counted(doubtful, "warning")}`,
  );
}
