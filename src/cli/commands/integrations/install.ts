import type { Integration, SettingsPlaces } from "../../../adapters/integration.ts";
import { integrationOf } from "../../../adapters/integrations.ts";
import type { WantedEvent } from "../../../adapters/settings/agent-settings.ts";
import { unguardedText } from "../../../adapters/unguarded-agents.ts";
import { loadCommittedConfig } from "../../../config/load.ts";
import { type Config, loadConfig } from "../../../config.ts";
import { isTenterhookError, type TenterhookError } from "../../../core/base/errors.ts";
import { AGENT_NAMES, type AgentName } from "../../../core/events/agent-names.ts";
import { applyInstall, changeDiff } from "../../../install/apply.ts";
import type { Finding } from "../../../install/finding.ts";
import { foundAgents, foundUnguarded } from "../../../install/found-agents.ts";
import { installationOf } from "../../../install/installation.ts";
import { type Needs, needsOf, unsupported } from "../../../install/needs.ts";
import {
  changes,
  type FileToWrite,
  filesToWrite,
  type InstallChange,
  planInstall,
} from "../../../install/plan.ts";
import { optionFor, placesIn } from "../../../install/settings-files.ts";
import { DRIVERS } from "../../../know/prove/drivers.ts";
import { findProgram } from "../../../node/process/find-program.ts";
import { confirm } from "../../command-line/ask-line.ts";
import { type CommandRun, flagOption, type Invocation } from "../../command-line/command.ts";
import { progress } from "../../command-line/screen/progress.ts";
import { shortPath, yellow } from "../../command-line/screen/text.ts";
import { usageError } from "../../command-line/usage-error.ts";
import { trustHere } from "../../configured-hooks/trust-here.ts";
import { chosenSettings } from "../../integrations/chosen-settings.ts";
import { actingMods } from "../../integrations/lift-text.ts";
import { type Done, type Installed, installBlock, type Loaded, notesFor } from "./install/show.ts";
import { checkStatusLine } from "./install/status-line.ts";

export const run: CommandRun = async (invocation) => {
  const { screen, json } = invocation;
  const sync = flagOption(invocation, "sync");
  // Checked first: nothing is trusted for a command that fails.
  const integrations = await chosenAgents(invocation, sync);
  checkStatusLine(integrations, invocation);
  const trust = flagOption(invocation, "trust") ? await trustHere(invocation) : undefined;
  const { config, done, refused } = await installInto(integrations, invocation);
  // Who waits at a terminal sees it at once; and a whole machine must not be without it unseen.
  const isSeen =
    done.some(
      ({ installed: { changed, diff, seated } }) => changed && diff === undefined && seated === true,
    ) &&
    (screen.interactive || flagOption(invocation, "managed"));
  const loaded = isSeen ? await seenLoaded(integrations, config, invocation) : [];
  const isWhole = refused.length === 0 && (trust === undefined || trust.refused === 0);
  return {
    json: {
      installed: done.map(({ installed }) => installed),
      problems: refused.map(({ message }) => message),
      trust,
      ...(isSeen ? { loaded: loaded.map(({ proof }) => proof) } : {}),
    },
    blocks: json ? [] : await installBlock(done, refused, loaded, config, invocation),
    code: isWhole && loaded.every(({ proof }) => proof.result === "obeyed") ? 0 : 1,
  };
};

/** Has these agents call us, and says nothing. */
export async function installInto(
  integrations: readonly Integration[],
  invocation: Invocation,
): Promise<{
  readonly config: Config;
  readonly done: readonly Done[];
  /** Why some of several agents were left out. */
  readonly refused: readonly Finding[];
}> {
  const config = await loadConfig(invocation);
  const committed = await loadCommittedConfig(invocation);
  const done: Done[] = [];
  const sync = flagOption(invocation, "sync");
  // What was written for one agent is shown, whatever another one can't do.
  const several = sync || flagOption(invocation, "all");
  const refused: Finding[] = [];
  const isChosen = ["user", "project", "local", "settings", "managed"].some(
    (name) => invocation.options[name] !== undefined,
  );
  for (const integration of integrations)
    try {
      const needs = needsOf(config, integration, committed);
      const problem = unsupported(needs, integration);
      if (problem !== undefined) throw problem;
      if (flagOption(invocation, "managed") && needs.managed.length === 0) throw nothingManaged();
      const places = placesIn(config.trust.root, invocation.environment);
      const chosen = sync && !isChosen ? undefined : chosenSettings(integration, places, invocation);
      for (const one of filesToWrite(installationOf(integration, places), needs, chosen, sync)) {
        const { scope, isManaged } = one.settings;
        const installed = await install(integration, one, needs, config, invocation);
        done.push({ integration, installed, isUser: scope === "user" || isManaged === true });
      }
    } catch (error) {
      if (!several || !isTenterhookError(error)) throw error;
      const message = `${error.message} ${error.hint ?? ""}`.trim();
      refused.push({ level: "error", about: integration.table.title, message });
    }
  return { config, done, refused };
}

function nothingManaged(): TenterhookError {
  return usageError(
    "The managed file has no hooks, so there is nothing to install.",
    "tenterhook help sharing says where it is, and what to write there.",
  );
}

/**
 * The agents that are named; with `--sync` all; with `--all` those on this machine, which are offered on a terminal when
 * nothing is named.
 *
 * @throws TenterhookError `usage_error` that names them, when nobody can be asked.
 */
async function chosenAgents(invocation: Invocation, sync: boolean): Promise<readonly Integration[]> {
  const { names, json, screen } = invocation;
  if (names.length > 0) return Promise.all(names.map(integrationOf));
  if (sync) return Promise.all(AGENT_NAMES.map(integrationOf));
  const found = await foundAgents(invocation);
  if (!json) for (const one of foundUnguarded(invocation)) screen.print(yellow(unguardedText(one)));
  if (found.length > 0 && flagOption(invocation, "all")) return found;
  if (found.length > 0 && screen.interactive && !json) {
    const chosen: Integration[] = [];
    for (const integration of found)
      if (await confirm(`Install Tenterhook into ${integration.table.title}?`, invocation))
        chosen.push(integration);
    return chosen;
  }
  const here = found.map(({ adapter }) => adapter.name);
  throw usageError(
    found.length === 0 ? "No agent was found on this machine." : "Which agent?",
    found.length === 0
      ? `Name one: tenterhook install <agent>. Agents: ${AGENT_NAMES.join(", ")}.`
      : `On this machine: tenterhook install ${here.join(" ")}, or --all. Agents: ${AGENT_NAMES.join(", ")}.`,
  );
}

const ONLY_YOURS =
  "Only your own configuration needs this, so it is not in the project's settings, which others share.";

async function install(
  agent: Integration,
  { settings, needed, isOwn = false }: FileToWrite,
  needs: Needs,
  config: Config,
  invocation: Invocation,
): Promise<Installed> {
  const places = placesIn(config.trust.root, invocation.environment);
  const wish = {
    stripComments: flagOption(invocation, "stripComments"),
    statusLine: flagOption(invocation, "statusLine"),
    trust: flagOption(invocation, "trust"),
  };
  const change = planInstall(agent, settings, needed, wish, places);
  const { integration, events, after } = change;
  const dry = flagOption(invocation, "dryRun");
  const backup = dry ? undefined : await applyInstall(change, places);
  const diff = dry ? changeDiff(change) : undefined;
  return {
    agent: integration.adapter.name,
    file: settings.file,
    changed: changes(change),
    events: events.map(({ native }) => native),
    never_sent: needs.never_sent,
    unheard: needs.unheard,
    backup,
    diff,
    ...(change.seat.folder === undefined ? {} : { seated: true as const }),
    notes: [
      ...(isOwn ? [ONLY_YOURS] : []),
      ...seatNotes(change, places, config, invocation),
      ...trustNotes(change, dry, invocation),
      ...needs.foreign,
      ...othersNote(events, needs),
      ...(await notesFor(integration, { ...settings, text: after }, events, config, invocation)),
    ],
  };
}

function seatNotes(
  { integration, seat: { folder, note } }: InstallChange,
  places: SettingsPlaces,
  { settings: { mods } }: Config,
  { cwd }: Invocation,
): readonly string[] {
  const acting = folder === undefined ? [] : actingMods(integration, places, mods.allow ?? [], cwd);
  return [...(note === undefined ? [] : [note]), ...acting.map(({ text }) => text)];
}

/** What the agent does with our entries, as far as it trusts them. */
function trustNotes(
  { integration, settings, trust }: InstallChange,
  dry: boolean,
  { cwd }: Invocation,
): readonly string[] {
  if (trust === undefined) return [];
  const notes: string[] = [];
  if (trust.untrusted.length > 0)
    notes.push(integration.trust?.explained(optionFor(integration, settings)) ?? "");
  if (trust.after !== trust.settings.text && !dry)
    notes.push(`${integration.table.title} trusts them now: ${shortPath(trust.settings.file, cwd)}.`);
  return notes;
}

/** Starts the agents once, to see whether they load our plug-in. One that is not here is not asked. */
async function seenLoaded(
  integrations: readonly Integration[],
  { trust }: Config,
  invocation: Invocation,
): Promise<readonly Loaded[]> {
  const { cwd, environment, json, screen, signal } = invocation;
  const all: Loaded[] = [];
  for (const integration of integrations) {
    const { adapter, lastGate, program: name, table } = integration;
    const driver = DRIVERS[adapter.name as AgentName];
    const program = lastGate === undefined ? undefined : findProgram(name, cwd, environment);
    if (program === undefined || driver === undefined) continue;
    const done = json ? () => undefined : progress(screen, `Starting ${table.title} once…`);
    const real = placesIn(trust.root, environment);
    const { triedLastGate } = await import("../../../know/prove/last-gate.ts");
    const proven = { driver, integration, program, real, signal, onRun: () => undefined };
    const proofs = await triedLastGate(proven).finally(done);
    all.push(...proofs.map((proof) => ({ title: table.title, proof })));
  }
  return all;
}

function othersNote(events: readonly WantedEvent[], needs: Needs): readonly string[] {
  const others = events
    .map(({ native }) => native)
    .filter((name) => !needs.events.some(({ native }) => native === name));
  if (others.length === 0) return [];
  return [
    `${others.join(", ")}: no hook needs it here, but those of other folders may, so it stays. tenterhook uninstall takes out everything.`,
  ];
}
