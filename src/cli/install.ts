import type { Bridge } from "../adapters/bridge.ts";
import { type Config, grantTrust, reviewTrust } from "../config.ts";
import { TenterhookError } from "../core/errors.ts";
import { AGENT_NAMES, bridgeOf } from "./agents.ts";
import { BECOMES, checkHeard, configOf, type Needs, needsOf } from "./bridges/needs.ts";
import {
  chosenSettings,
  edited,
  SETTINGS_SCOPES,
  type SettingsFile,
  settingsOf,
  writeSettings,
} from "./bridges/settings-files.ts";
import { type CommandRun, flagOption, type Invocation } from "./command.ts";
import { unifiedDiff } from "./screen/diff.ts";
import { counted, shortPath } from "./screen/text.ts";

/** What was done to one settings file. */
interface Installed {
  readonly agent: string;
  readonly file: string;
  readonly changed: boolean;
  readonly events: readonly string[];
  readonly never_sent: readonly string[];
  readonly unheard: Needs["unheard"];
  readonly backup?: string;
  readonly diff?: readonly string[];
  /** What a user should know and nothing could be done about. */
  readonly notes: readonly string[];
}

/** `tenterhook install`. */
export const run: CommandRun = async (invocation) => {
  const { screen, json, names, cwd, environment, signal } = invocation;
  const sync = flagOption(invocation, "sync");
  if (names.length === 0 && !sync)
    throw new TenterhookError("usage_error", "Which agent?", { hint: `Agents: ${AGENT_NAMES.join(", ")}.` });
  if (flagOption(invocation, "fast"))
    // An agent that asks nobody refuses everything, by the switch that keeps its gates closed.
    throw new TenterhookError(
      "no_daemon",
      "install --fast has an agent ask the daemon itself, which must run as a service, and none does.",
    );
  if (flagOption(invocation, "trust")) {
    const places = { cwd, environment, signal };
    await grantTrust(await reviewTrust(places), { environment });
  }
  const config = await configOf(invocation);
  const done: Installed[] = [];
  for (const name of names.length === 0 ? AGENT_NAMES : names) {
    const bridge = await bridgeOf(name);
    const needs = needsOf(config, bridge);
    checkHeard(needs, bridge);
    for (const settings of filesFor(bridge, config, sync, invocation))
      done.push(await install(bridge, settings, needs, config, invocation));
  }
  if (json) screen.json({ installed: done });
  else showInstalled(done, invocation);
  return undefined;
};

/** With `--sync` every file we are in; else the one the command line names. */
function filesFor(
  bridge: Bridge,
  { trust }: Config,
  sync: boolean,
  invocation: Invocation,
): readonly SettingsFile[] {
  if (!sync || invocation.options.scope !== undefined || invocation.options.settings !== undefined)
    return [chosenSettings(bridge, trust.root, invocation)];
  return SETTINGS_SCOPES.map((scope) => settingsOf(bridge, scope, trust.root, invocation.environment)).filter(
    (settings) => settings.text !== undefined && isInstalled(bridge, settings),
  );
}

function isInstalled({ settings }: Bridge, { text }: SettingsFile): boolean {
  try {
    return settings.installed(text).length > 0;
  } catch {
    return false;
  }
}

async function install(
  bridge: Bridge,
  settings: SettingsFile,
  needs: Needs,
  config: Config,
  invocation: Invocation,
): Promise<Installed> {
  const { events, never_sent, unheard } = needs;
  const after = edited(settings, (text) => bridge.settings.install(text, events));
  const changed = after !== settings.text;
  const dry = flagOption(invocation, "dryRun");
  const backup = changed && !dry ? await writeSettings(settings, after, invocation.environment) : undefined;
  const { file, text } = settings;
  return {
    agent: bridge.adapter.name,
    file,
    changed,
    events: events.map(({ native }) => native),
    never_sent,
    unheard,
    ...(backup === undefined ? {} : { backup }),
    ...(dry ? { diff: unifiedDiff(text ?? "", after ?? "", [file, file]) } : {}),
    notes: notesFor(bridge, settings, config, invocation),
  };
}

function notesFor(
  { title, startsInRoot, switchedOff }: Bridge,
  { scope, text }: SettingsFile,
  { trust }: Config,
  { cwd }: Invocation,
): readonly string[] {
  const off = switchedOff(text);
  return [
    ...(off === undefined ? [] : [`None of the hooks in this file will run: ${off}.`]),
    ...(startsInRoot && scope !== "user" && scope !== undefined
      ? [
          `${title} reads this file only when it is started in ${shortPath(trust.root, cwd)}, not below; --scope user covers every folder.`,
        ]
      : []),
    ...(trust.state === "untrusted"
      ? ["The project's hooks are not trusted yet and will refuse: tenterhook trust shows what would run."]
      : []),
  ];
}

function showInstalled(done: readonly Installed[], { screen, cwd }: Invocation): void {
  const { green, yellow, dim } = screen.paint;
  if (done.length === 0) screen.print("We are not installed in any agent here.");
  for (const { agent, file, changed, events, never_sent, unheard, backup, diff, notes } of done) {
    if (diff !== undefined) {
      screen.print(...(diff.length === 0 ? [`${shortPath(file, cwd)} would stay as it is.`] : diff));
      continue;
    }
    const what = events.length === 0 ? "no event is needed" : events.join(", ");
    screen.print(
      changed
        ? green(`${agent}: ${shortPath(file, cwd)} now calls us for ${counted(events.length, "event")}.`)
        : `${agent}: ${shortPath(file, cwd)} is up to date.`,
      dim(`  ${what}`),
      ...(backup === undefined ? [] : [dim(`  as it was: ${shortPath(backup, cwd)}`)]),
    );
    const said = [
      ...notes,
      ...(never_sent.length === 0
        ? []
        : [`It never sends ${never_sent.join(", ")}; hooks on these will not run.`]),
      ...unheard.map(
        ({ hook, effect, event, becomes }) =>
          `It has no way to hear ${effect} on ${event} (${JSON.stringify(hook)}): ${BECOMES[becomes]}.`,
      ),
    ];
    for (const note of said) screen.print(yellow(`  ${note}`));
  }
}
