import type { Integration } from "../../../../adapters/integration.ts";
import type { WantedEvent } from "../../../../adapters/settings/agent-settings.ts";
import type { Config } from "../../../../config.ts";
import { calledProgram, ONLY_NPM, unfoundAtLogin } from "../../../../hook/installed/called-program.ts";
import { type Needs, unsupportedTexts } from "../../../../hook/installed/needs.ts";
import { offSwitches } from "../../../../hook/installed/off-switches.ts";
import { placesIn, readsOnlyInRoot, type SettingsFile } from "../../../../hook/installed/settings-files.ts";
import type { Invocation } from "../../../command-line/command.ts";
import { counted, shortPath, wrapped } from "../../../command-line/screen/text.ts";
import { asItWas } from "../../../integrations/settings-changes.ts";

export interface Installed {
  readonly agent: string;
  readonly file: string;
  readonly changed: boolean;
  readonly events: readonly string[];
  readonly never_sent: readonly string[];
  readonly unheard: Needs["unheard"];
  readonly backup?: string;
  readonly diff?: readonly string[];
  readonly notes: readonly string[];
}

export function showInstalled(done: readonly Installed[], invocation: Invocation): void {
  const { screen, cwd } = invocation;
  const { green, yellow, dim } = screen.paint;
  if (done.length === 0) screen.print("Tenterhook is not installed in any agent here.");
  for (const { agent, file, changed, events, never_sent, unheard, backup, diff, notes } of done) {
    if (diff !== undefined) {
      screen.print(...(diff.length === 0 ? [`${shortPath(file, cwd)} would not change.`] : diff));
    } else {
      const what =
        events.length === 0 ? "no hook uses its events (tenterhook list shows the hooks)" : events.join(", ");
      screen.print(
        changed
          ? green(
              `${agent}: ${shortPath(file, cwd)} now calls Tenterhook for ${counted(events.length, "event")}.`,
            )
          : `${agent}: ${shortPath(file, cwd)} is up to date.`,
        dim(`  ${what}`),
        ...asItWas(invocation, backup),
      );
    }
    const lines = [
      ...notes,
      ...(never_sent.length === 0
        ? []
        : [`It never sends ${never_sent.join(", ")}; hooks on these will not run.`]),
      ...unsupportedTexts(unheard, 2).map(({ text }) => `It ${text}`),
    ];
    if (diff !== undefined && lines.length > 0) screen.print("");
    for (const note of lines) screen.print(yellow(wrapped(note, screen.width, "  ")));
  }
}

export async function notesFor(
  integration: Integration,
  { file, names, scope, text, isManaged = false }: SettingsFile,
  events: readonly WantedEvent[],
  { trust }: Config,
  { cwd, environment }: Invocation,
): Promise<readonly string[]> {
  const isOwn = events.some(({ command }) => command !== undefined);
  const off = offSwitches(integration, placesIn(trust.root, environment)).filter(
    ({ where }) => where !== file,
  );
  const here = integration.switchedOff?.(text);
  return [
    ...(isOwn || calledProgram(cwd, environment).only_npm === undefined ? [] : [ONLY_NPM]),
    ...(isOwn || events.length === 0 ? [] : [(await unfoundAtLogin(integration, environment)) ?? []].flat()),
    ...(scope === "project" && events.length > 0 ? [teamNote(integration, events, isOwn)] : []),
    ...(here === undefined ? [] : [`None of the hooks in this file will run: ${here}.`]),
    ...off.map(({ where, why }) => `No hook will run: ${shortPath(where, cwd)}: ${why}.`),
    ...(integration.warnings ?? []),
    ...(scope === undefined && !isManaged
      ? [
          "doctor and install --sync do not check a file named with --settings: install into it again when the hooks change.",
        ]
      : []),
    ...(readsOnlyInRoot(integration, trust.root) && (scope === "project" || scope === "local")
      ? [
          `${integration.table.title} reads ${names === undefined ? "this file" : "these files"} only when it is started in ${shortPath(trust.root, cwd)}, not in folders below it; --scope user covers every folder.`,
        ]
      : []),
    ...(trust.untrusted.length > 0
      ? [
          "The project's hooks are not trusted yet and will refuse: tenterhook trust shows what they would run.",
        ]
      : []),
  ];
}

/** What happens to people who have the project's settings but not our program. */
function teamNote(integration: Integration, events: readonly WantedEvent[], isOwn: boolean): string {
  const { title } = integration.table;
  const gates = events.filter(({ gate }) => gate).map(({ native }) => native);
  const refused = gates.length === 0 ? undefined : gates.join(", ");
  if (isOwn)
    return `It calls the project's own copy of Tenterhook. ${refused === undefined ? "The hooks do not run" : `${title} refuses ${refused}`} for people who have not run npm install yet.`;
  const copy =
    integration.projectCommand === undefined
      ? "npm install -g tenterhook puts it there."
      : "npm install --save-dev tenterhook gives the project a copy of its own.";
  const without = refused === undefined ? "the hooks do not run" : `${title} refuses ${refused}`;
  return `Everybody who starts ${title} in this project needs tenterhook on the PATH: without it, ${without}. ${copy}`;
}
