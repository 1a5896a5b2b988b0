import type { Integration } from "../../../../adapters/integration.ts";
import type { WantedEvent } from "../../../../adapters/settings/agent-settings.ts";
import type { Config } from "../../../../config.ts";
import { closedProject } from "../../../../install/agent-trust.ts";
import { calledProgram, ONLY_NPM, unfoundAtLogin } from "../../../../install/called-program.ts";
import { installationOf } from "../../../../install/installation.ts";
import { type Needs, unsupportedTexts } from "../../../../install/needs.ts";
import { placesIn, readsOnlyInRoot, type SettingsFile } from "../../../../install/settings-files.ts";
import type { Invocation } from "../../../command-line/command.ts";
import { counted, dim, green, shortPath, wrapped, yellow } from "../../../command-line/screen/text.ts";
import { untrustedText } from "../../../configured-hooks/gone-text.ts";
import { asItWas } from "../../../integrations/as-it-was.ts";

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
  /** True when the file puts our plug-in first in the agent. */
  readonly seated?: true;
}

export function showInstalled(done: readonly Installed[], invocation: Invocation): void {
  const { screen, cwd } = invocation;
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
    const lines = [...notes];
    if (never_sent.length > 0)
      lines.push(`It never sends ${never_sent.join(", ")}; hooks on these will not run.`);
    lines.push(...unsupportedTexts(unheard, 2).map(({ text }) => `It ${text}`));
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
  const off = installationOf(integration, placesIn(trust.root, environment)).off.filter(
    ({ where }) => where !== file,
  );
  const here = integration.switchedOff?.(text);
  const notes: string[] = [];
  if (!isOwn && calledProgram(cwd, environment).only_npm !== undefined) notes.push(ONLY_NPM);
  const unfound = isOwn || events.length === 0 ? undefined : await unfoundAtLogin(integration, environment);
  if (unfound !== undefined) notes.push(unfound);
  if (scope === "project" && events.length > 0) notes.push(teamNote(integration, events, isOwn));
  const closed =
    events.length === 0 ? undefined : closedProject(integration, file, placesIn(trust.root, environment));
  if (closed !== undefined) notes.push(`${closed.why}. ${closed.way_out}.`);
  if (here !== undefined) notes.push(`None of the hooks in this file will run: ${here}.`);
  for (const { where, why } of off) notes.push(`No hook will run: ${shortPath(where, cwd)}: ${why}.`);
  notes.push(...(integration.warnings ?? []));
  if (scope === undefined && !isManaged)
    notes.push(
      "doctor and install --sync do not check a file named with --settings: install into it again when the hooks change.",
    );
  if (readsOnlyInRoot(integration, trust.root) && (scope === "project" || scope === "local"))
    notes.push(
      `${integration.table.title} reads ${names === undefined ? "this file" : "these files"} only when it is started in ${shortPath(trust.root, cwd)}, not in folders below it; --user covers every folder.`,
    );
  const untrusted = untrustedText(trust, cwd);
  if (untrusted !== undefined) notes.push(`${untrusted}: tenterhook trust shows what would run.`);
  return notes;
}

/** What happens to people who have the project's settings but not our program. */
function teamNote(integration: Integration, events: readonly WantedEvent[], isOwn: boolean): string {
  const { title } = integration.table;
  const gates = events.filter(({ gate }) => gate).map(({ native }) => native);
  const without = gates.length === 0 ? "the hooks do not run" : `${title} blocks ${gates.join(", ")}`;
  if (isOwn)
    return `It calls the project's own copy of Tenterhook. ${without.replace(/^the/, "The")} for people who have not run npm install yet.`;
  const copy =
    integration.projectCommand === undefined
      ? "npm install -g tenterhook puts it there."
      : "npm install --save-dev tenterhook gives the project a copy of its own.";
  return `Everybody who starts ${title} in this project needs tenterhook on the PATH: without it, ${without}. ${copy}`;
}
