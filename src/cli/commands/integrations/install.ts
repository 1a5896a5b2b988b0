import type { Integration } from "../../../adapters/integration.ts";
import { integrationOf } from "../../../adapters/integrations.ts";
import type { WantedEvent } from "../../../adapters/settings/agent-settings.ts";
import type { SettingsText } from "../../../adapters/settings/json-edit.ts";
import { unguardedText } from "../../../adapters/unguarded-agents.ts";
import { forgetInstallation, recordInstallation } from "../../../config/find/installations.ts";
import { loadCommittedConfig } from "../../../config/load.ts";
import { type Config, loadConfig } from "../../../config.ts";
import { TenterhookError } from "../../../core/base/errors.ts";
import { withoutUndefined } from "../../../core/base/json.ts";
import { AGENT_NAMES, type AgentName } from "../../../core/events/agent-names.ts";
import { skippedBy, trustAfterInstall } from "../../../install/agent-trust.ts";
import { neededIn, ownFile, uncalledEvents } from "../../../install/file-needs.ts";
import { installationOf, readable } from "../../../install/installation.ts";
import { type Needs, needsOf, unsupported } from "../../../install/needs.ts";
import {
  asManaged,
  edited,
  eventsFor,
  optionFor,
  placesIn,
  type SettingsFile,
} from "../../../install/settings-files.ts";
import { DRIVERS } from "../../../know/prove/drivers.ts";
import type { Proof } from "../../../know/prove/proof.ts";
import { findProgram } from "../../../node/process/find-program.ts";
import { confirm } from "../../command-line/ask-line.ts";
import { type CommandRun, flagOption, type Invocation } from "../../command-line/command.ts";
import { progress } from "../../command-line/screen/progress.ts";
import { shortPath, wrapped } from "../../command-line/screen/text.ts";
import { usageError } from "../../command-line/usage-error.ts";
import { trustHere } from "../../configured-hooks/trust-here.ts";
import { chosenSettings } from "../../integrations/chosen-settings.ts";
import { foundAgents, foundUnguarded } from "../../integrations/found-agents.ts";
import { actingMods, seatFor, staleFiles, writeSeat } from "../../integrations/last-gate.ts";
import { changedFiles, settingsDiff, writeSettings } from "../../integrations/settings-changes.ts";
import { type Installed, notesFor, showInstalled } from "./install/show.ts";
import { checkStatusLine } from "./install/status-line.ts";

export const run: CommandRun = async (invocation) => {
  const { screen, json } = invocation;
  const sync = flagOption(invocation, "sync");
  // Checked first: nothing is trusted for a command that fails.
  const integrations = await chosenAgents(invocation, sync);
  checkStatusLine(integrations, invocation);
  const trust = flagOption(invocation, "trust") ? await trustHere(invocation) : undefined;
  const config = await loadConfig(invocation);
  const committed = await loadCommittedConfig(invocation);
  const done: Installed[] = [];
  // What was written for one agent is shown, whatever another one can't do.
  const several = sync || flagOption(invocation, "all");
  const refused: TenterhookError[] = [];
  for (const integration of integrations) {
    const needs = needsOf(config, integration, committed);
    const problem = unsupported(needs, integration);
    if (problem !== undefined && !several) throw problem;
    if (problem !== undefined) {
      refused.push(problem);
      continue;
    }
    if (flagOption(invocation, "managed") && needs.managed.length === 0)
      throw usageError(
        "The managed file has no hooks, so nothing has to call Tenterhook for them.",
        "docs/guides/policy.md says where it is, and what to write there.",
      );
    for (const one of filesFor(integration, needs, config, sync, invocation))
      done.push(await install(integration, one, needs, config, invocation));
  }
  const problems = refused.map(({ message, hint }) => `${message} ${hint}`);
  const written = done.filter(({ changed, diff }) => changed && diff === undefined);
  if (!json) {
    showInstalled(done, invocation);
    for (const problem of problems) screen.print(screen.paint.red(`Not installed: ${problem}`));
    const startsDaemon = config.settings.daemon && invocation.environment.TENTERHOOK_DAEMON !== "0";
    if (written.length > 0 && startsDaemon)
      screen.print(screen.paint.dim(wrapped(DAEMON_RUNS, screen.width)));
  }
  // Who waits at a terminal sees it at once; and a whole machine must not be without it unseen.
  const isSeen =
    written.some(({ seated }) => seated === true) &&
    (screen.interactive || flagOption(invocation, "managed"));
  const proofs = isSeen ? await seenLoaded(integrations, config, invocation) : [];
  if (json) {
    const seen = { ...(trust === undefined ? {} : { trust }), ...(isSeen ? { loaded: proofs } : {}) };
    screen.json({ installed: done, problems, ...seen });
  } else {
    const provable = [...new Set(written.map(({ agent }) => agent))].filter((name) => name in DRIVERS);
    if (provable.length > 0)
      screen.print(`  tenterhook prove ${provable.join(" ")}   see that it really runs your hooks`);
  }
  const isWhole = problems.length === 0 && (trust === undefined || trust.refused === 0);
  return isWhole && proofs.every(({ result }) => result === "obeyed") ? undefined : 1;
};

const DAEMON_RUNS =
  "The first call starts a daemon in the background, which decides later calls faster and ends after 30 idle minutes; tenterhook monitor disable switches it off.";

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
  if (!json)
    for (const one of foundUnguarded(invocation)) screen.print(screen.paint.yellow(unguardedText(one)));
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

interface FileToWrite {
  readonly settings: SettingsFile;
  readonly needed: readonly WantedEvent[];
  /** True for a file that gets what the chosen one must not have: the needs of the user alone. */
  readonly isOwn?: boolean;
}

/**
 * With `--sync` every file with our entries; else the chosen one. What only the user's own configuration needs goes into
 * a file of the user's, never into the one that is committed.
 */
function filesFor(
  integration: Integration,
  needs: Needs,
  { trust }: Config,
  sync: boolean,
  invocation: Invocation,
): readonly FileToWrite[] {
  const places = placesIn(trust.root, invocation.environment);
  const isChosen = ["scope", "settings", "managed"].some((name) => invocation.options[name] !== undefined);
  const installation = installationOf(integration, places);
  const files =
    !sync || isChosen
      ? [chosenSettings(integration, places, invocation)]
      : installation.own.map(readable).filter(({ events }) => events.length > 0);
  const needed = files.map(
    (settings): FileToWrite => ({
      settings,
      needed:
        sync || settings.scope === "project" || settings.isManaged === true
          ? neededIn(settings, needs, installation)
          : needs.events,
    }),
  );
  const uncalled = files.some(({ scope }) => scope === "project")
    ? uncalledEvents(installation, needs, true)
    : [];
  if (uncalled.length === 0) return needed;
  const settings = readable(ownFile(installation));
  if (files.some(({ file }) => file === settings.file)) return needed;
  const own = { settings, needed: neededIn(settings, needs, installation), isOwn: true };
  // A project without hooks of its own has nothing to say in its settings.
  return [
    ...needed.filter(
      (one) => one.needed.length > 0 || edited(one.settings, integration.settings.installed).length > 0,
    ),
    own,
  ];
}

const STRIP =
  "Take out comments and commas before closing brackets, or have it done: --strip-comments keeps the file as it was in the state folder. It was left as it is.";

const ONLY_YOURS =
  "This is what only your own configuration needs; it is no part of the project's settings, which others share.";

async function install(
  agent: Integration,
  { settings, needed, isOwn = false }: FileToWrite,
  needs: Needs,
  config: Config,
  invocation: Invocation,
): Promise<Installed> {
  const { never_sent, unheard } = needs;
  const integration = settings.isManaged === true ? asManaged(agent) : agent;
  const events = edited(settings, (text) =>
    eventsFor(integration, settings, text, needed, config.trust.root),
  );
  const { environment } = invocation;
  const called = events.map(({ native }) => native);
  const places = placesIn(config.trust.root, environment);
  const seat = seatFor(integration, settings, called, places);
  const isShared = settings.isManaged === true;
  const after = edited(settings, (text) => {
    const before = flagOption(invocation, "stripComments") ? integration.settings.readable(text) : text;
    const { lastGate } = integration;
    const ours = integration.settings.install(before, events);
    const entered =
      seat.folder === undefined
        ? (lastGate?.uninstall(ours) ?? ours)
        : lastGate?.install(ours, seat.folder, isShared);
    const { statusLine } = integration;
    const isAgreed = statusLine !== undefined && flagOption(invocation, "statusLine");
    const written = isAgreed ? statusLine.install(entered) : entered;
    // Problems of our own entries are fixed by writing; line numbers are those of the current file.
    const { unread: unreadIn } = integration.settings;
    const unread = events.length === 0 ? undefined : unreadIn(written) && unreadIn(before);
    if (unread === undefined) return written;
    const { why, strippable } = unread;
    const hint = strippable ? { hint: STRIP } : {};
    throw new TenterhookError("settings_unreadable", `${why}: its hooks would not run.`, hint);
  });
  const stale = seat.folder === undefined ? [] : staleFiles(integration, settings, environment);
  const changed = after !== settings.text || stale.length > 0;
  const dry = flagOption(invocation, "dryRun");
  const { file } = settings;
  const isGranted = flagOption(invocation, "trust");
  const trust = trustAfterInstall(integration, settings, { file, text: after }, isGranted, places);
  const trustChanged = trust !== undefined && trust.after !== trust.settings.text;
  // The plug-in first: settings that name a missing one would be reported by the agent.
  if (!dry) await writeSeat(stale, isShared);
  const backup = changed && !dry ? await writeSettings(settings, after, environment) : undefined;
  if (trustChanged && !dry) await writeSettings(trust.settings, trust.after, environment);
  if (!dry && events.length > 0) await remember(integration, settings, after, config, environment);
  const skipped = dry ? undefined : await skippedBy(integration, file, places, invocation);
  const diff = [
    ...settingsDiff(settings, after),
    ...(trustChanged ? settingsDiff(trust.settings, trust.after) : []),
  ];
  const { title } = integration.table;
  const notes = isOwn ? [ONLY_YOURS] : [];
  if (seat.note !== undefined) notes.push(seat.note);
  if (seat.folder !== undefined)
    notes.push(
      ...actingMods(integration, places, config.settings.mods.allow ?? [], invocation.cwd).map(
        ({ text }) => text,
      ),
    );
  if (trust !== undefined && (skipped ?? trust.untrusted).length > 0)
    notes.push(integration.trust?.explained(optionFor(integration, settings)) ?? "");
  if (skipped !== undefined && skipped.length > 0)
    notes.push(`${title} itself says that it skips ours on ${skipped.join(", ")}.`);
  else if (trustChanged && !dry)
    notes.push(`${title} trusts them now: ${shortPath(trust.settings.file, invocation.cwd)}.`);
  return {
    agent: integration.adapter.name,
    file,
    changed,
    events: called,
    never_sent,
    unheard,
    ...withoutUndefined({ backup, diff: dry ? diff : undefined }),
    ...(seat.folder === undefined ? {} : { seated: true as const }),
    notes: [
      ...notes,
      ...needs.foreign,
      ...othersNote(events, needs),
      ...(await notesFor(integration, { ...settings, text: after }, events, config, invocation)),
    ],
  };
}

/** Starts the agents once, to see whether they load our plug-in, and says so. One that is not here is not asked. */
async function seenLoaded(
  integrations: readonly Integration[],
  { trust }: Config,
  invocation: Invocation,
): Promise<readonly Proof[]> {
  const { cwd, environment, json, screen, signal } = invocation;
  const all: Proof[] = [];
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
    all.push(...proofs);
    for (const { result, why, way_out } of json ? [] : proofs)
      screen.print(
        result === "obeyed"
          ? screen.paint.dim(`  ${table.title} loads our plug-in before all others.`)
          : screen.paint.yellow(wrapped(`${why}. ${way_out}`, screen.width, "  ")),
      );
  }
  return all;
}

/** Records the files that call us now, so that it is noticed when one of them does no more. */
async function remember(
  integration: Integration,
  settings: SettingsFile,
  after: SettingsText,
  { trust }: Config,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const isShared = settings.scope === "user" || settings.isManaged === true;
  const about = {
    agent: integration.adapter.name,
    option: optionFor(integration, settings),
    ...(isShared ? {} : { project: trust.root }),
  };
  for (const one of changedFiles(settings, after)) {
    if (one.after === undefined) forgetInstallation(one.file, environment);
    else await recordInstallation({ ...about, file: one.file }, environment);
  }
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
