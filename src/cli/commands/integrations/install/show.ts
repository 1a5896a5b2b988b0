import type { Integration } from "../../../../adapters/integration.ts";
import type { WantedEvent } from "../../../../adapters/settings/agent-settings.ts";
import type { Config } from "../../../../config.ts";
import { TRUST_SHOWS } from "../../../../core/base/untrusted.ts";
import { closedProject } from "../../../../install/agent-trust.ts";
import { calledProgram, ONLY_NPM, unfoundAtLogin } from "../../../../install/called-program.ts";
import type { Finding } from "../../../../install/finding.ts";
import { installationOf } from "../../../../install/installation.ts";
import { type Needs, unsupportedTexts } from "../../../../install/needs.ts";
import { placesIn, readsOnlyInRoot, type SettingsFile } from "../../../../install/settings-files.ts";
import { DRIVERS } from "../../../../know/prove/drivers.ts";
import type { Proof } from "../../../../know/prove/proof.ts";
import { flagOption, type Invocation, textOption } from "../../../command-line/command.ts";
import { type Block, findings } from "../../../command-line/screen/report.ts";
import { counted, shortPath } from "../../../command-line/screen/text.ts";
import { untrustedText } from "../../../configured-hooks/gone-text.ts";
import { guardOf } from "../../../configured-hooks/guard.ts";
import { type Connected, setUpFindings } from "../../../configured-hooks/set-up.ts";
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

/** What became of one file of an agent's settings. */
export interface Done extends Connected {
  readonly installed: Installed;
}

/** Whether an agent that was started loads our plug-in. */
export interface Loaded {
  readonly title: string;
  readonly proof: Proof;
}

/** A line for each agent; with `-v`, and for a file that nothing else looks at, also what is worth knowing of it. */
export async function installBlock(
  done: readonly Done[],
  refused: readonly Finding[],
  loaded: readonly Loaded[],
  { settings }: Config,
  invocation: Invocation,
): Promise<Block> {
  const { cwd, environment } = invocation;
  const isDry = flagOption(invocation, "dryRun");
  const isNamed = textOption(invocation, "settings") !== undefined;
  const wired = done.filter(({ installed }) => installed.events.length > 0 && !isNamed);
  const others = done.filter((one) => !wired.includes(one)).map((one) => fileFinding(one, cwd));
  const judged = wired.length === 0 || isDry ? [] : await judgedFindings(wired, invocation);
  const lines = isDry ? [] : [...judged, ...others];
  const isOpen = lines.every(({ fix }) => fix !== undefined) || lines.some(({ level }) => level === "error");
  const written = done.filter(({ installed }) => installed.changed && !isDry);
  const isStarted = written.length > 0 && settings.daemon && environment.TENTERHOOK_DAEMON !== "0";
  return [
    done.length + refused.length === 0 && "Tenterhook is not installed in any agent here.",
    isDry && [done.map(({ installed }) => diffBlock(installed, cwd)), ""],
    findings(
      [
        ...lines,
        ...refused,
        ...loaded.map(loadedFinding),
        ...done.flatMap((one) => noteFindings(one, cwd)),
        ...(isStarted ? [DAEMON_RUNS] : []),
      ],
      isNamed || flagOption(invocation, "verbose"),
    ),
    asItWas(invocation, ...done.map(({ installed }) => installed.backup)),
    written.length > 0 && !isOpen && ["", nextStep(written.map(({ installed }) => installed.agent))],
  ];
}

/** Whether the agents ask our hooks now, as everything else judges it. */
async function judgedFindings(done: readonly Done[], invocation: Invocation): Promise<readonly Finding[]> {
  const { judgement } = await guardOf(invocation);
  return setUpFindings(done, judgement, invocation.cwd);
}

/** What shows that these agents obey, or what to try. */
function nextStep(agents: readonly string[]): string {
  const provable = [...new Set(agents)].filter((name) => Object.hasOwn(DRIVERS, name));
  return provable.length === 0
    ? '  Next: tenterhook explain "rm -rf ~"   try a command'
    : `  Next: tenterhook prove ${provable.join(" ")}   ${counted(provable.length, "agent")}, about a minute`;
}

/** What was written to a file of settings. */
function fileFinding({ integration, installed: { events, file } }: Done, cwd: string): Finding {
  const about = integration.table.title;
  return events.length === 0
    ? { level: "warning", about, message: "no hook uses its events", fix: "tenterhook list" }
    : {
        level: "ok",
        about,
        message: `${shortPath(file, cwd)} calls Tenterhook for ${counted(events.length, "event")}`,
      };
}

export function diffBlock({ diff = [], file }: Pick<Installed, "diff" | "file">, cwd: string): Block {
  return diff.length === 0 ? `${shortPath(file, cwd)} would not change.` : diff;
}

function loadedFinding({ title: about, proof: { result, why, way_out } }: Loaded): Finding {
  return result === "obeyed"
    ? { level: "note", about, message: "It loads our plug-in before all others." }
    : { level: "warning", about, message: `${why}. ${way_out}` };
}

function noteFindings({ integration, installed }: Done, cwd: string): readonly Finding[] {
  const { events, never_sent, unheard, notes, file, changed } = installed;
  const path = `${shortPath(file, cwd)}${changed ? "" : " is up to date"}`;
  return [
    ...(events.length > 0 ? [`${path}: it calls Tenterhook for ${events.join(", ")}.`] : []),
    ...notes,
    ...(never_sent.length > 0
      ? [`It never sends ${never_sent.join(", ")}; hooks on these will not run.`]
      : []),
    ...unsupportedTexts(unheard, 2).map(({ text }) => `It ${text}`),
  ].map((message) => ({ level: "note", about: integration.table.title, message }));
}

const DAEMON_RUNS: Finding = {
  level: "note",
  about: "daemon",
  message:
    "The first call starts it in the background; it decides later calls faster and ends when it has been idle for a while. tenterhook daemon stop --for-good switches it off.",
};

export async function notesFor(
  integration: Integration,
  { file, names, scope, text, isManaged = false }: SettingsFile,
  events: readonly WantedEvent[],
  { trust, definitions }: Config,
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
    notes.push("Nothing checks a file named with --settings: install into it again when the hooks change.");
  if (readsOnlyInRoot(integration, trust.root) && (scope === "project" || scope === "local"))
    notes.push(
      `${integration.table.title} reads ${names === undefined ? "this file" : "these files"} only when it is started in ${shortPath(trust.root, cwd)}, not in folders below it; --user covers every folder.`,
    );
  const untrusted = untrustedText({ trust, definitions }, cwd);
  if (untrusted !== undefined) notes.push(`${untrusted}: ${TRUST_SHOWS}.`);
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
