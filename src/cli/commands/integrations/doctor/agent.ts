import type { Integration, SettingsPlaces } from "../../../../adapters/integration.ts";
import type { Drifted } from "../../../../adapters/settings/agent-settings.ts";
import { closedProject } from "../../../../install/agent-trust.ts";
import { unfoundAtLogin } from "../../../../install/called-program.ts";
import { uncalledEvents } from "../../../../install/file-needs.ts";
import type { Finding } from "../../../../install/finding.ts";
import { isOlder, programVersion } from "../../../../install/found-agents.ts";
import { type InstallationFile, installationOf } from "../../../../install/installation.ts";
import { liftsIn } from "../../../../install/lifts.ts";
import { type Needs, unsupportedTexts } from "../../../../install/needs.ts";
import { readProofs } from "../../../../install/proofs.ts";
import { type Checked, checkFile } from "../../../../install/settings-check.ts";
import { optionFor, orElse, readsOnlyInRoot } from "../../../../install/settings-files.ts";
import { DRIVERS } from "../../../../know/prove/drivers.ts";
import type { Invocation } from "../../../command-line/command.ts";
import { shortPath } from "../../../command-line/screen/text.ts";
import { liftText } from "../../../integrations/lift-text.ts";

export interface CheckedAgent {
  readonly agent: string;
  readonly version?: string;
  readonly settings: readonly Checked[];
  readonly findings: readonly Finding[];
}

/**
 * Checks an agent's version and settings against what hooks need, where that is known.
 *
 * @param option What the command that installs us needs besides the agent's name.
 */
export async function checkAgent(
  integration: Integration,
  places: SettingsPlaces,
  needs: Needs | undefined,
  option: string,
  invocation: Invocation,
): Promise<CheckedAgent> {
  const { adapter, since } = integration;
  const { title } = integration.table;
  const { root } = places;
  const version = await programVersion(integration, invocation);
  const installation = installationOf(integration, places);
  const { files, installed } = installation;
  const settings = files.map((file) => checkFile(file, needs, installation));
  const about = adapter.name;
  const findings: Finding[] = [
    version === undefined
      ? { level: "note", about, message: `${title} is not on the PATH.` }
      : { level: "ok", about, message: `${title} ${version}.` },
  ];
  const add = (level: Finding["level"], message: string, more: Pick<Finding, "why" | "fix"> = {}): void =>
    void findings.push({ level, about, message, ...more });
  if (version !== undefined && isOlder(version, since.version))
    add("warning", `${title} ${version} ${since.older}`);
  if (version !== undefined && installed.length > 0)
    for (const message of newerThanProven(integration, version, invocation)) add("warning", message);
  // Another agent's file can hold a switch of an agent that nobody uses here.
  const isUsed = version !== undefined || installed.length > 0;
  const lifts = isUsed ? liftsIn(installation) : [];
  const [unstarted, ...others] = installed.map(({ place }) =>
    integration.startsNone?.(places, place === "user"),
  );
  if (unstarted !== undefined && !others.includes(undefined)) add("warning", `${title} ${unstarted}.`);
  for (const lift of lifts.filter(({ is_off }) => is_off)) add("error", liftText(lift, invocation.cwd));
  for (const [at, one] of files.entries()) {
    const { file, place, problem, events, unread, untrusted, text } = one;
    const { missing = [], extra = [], drifted = [] } = settings[at] ?? {};
    const path = shortPath(file, invocation.cwd);
    const isManaged = place === "managed";
    const mend = isManaged ? `sudo tenterhook install ${about} --managed` : SYNC;
    if (problem !== undefined) add("error", `${path}: ${problem.message}`);
    if (unread !== undefined)
      add(
        events.length === 0 ? "warning" : "error",
        `${path}: its hooks do not run: ${unread.why}. ${unread.strippable ? `tenterhook install ${about} ${isManaged ? "--managed" : `--${place}`} --strip-comments removes that.` : "Correct it there."}`,
      );
    if (events.length === 0) continue;
    const unloaded = version === undefined ? undefined : integration.unloaded?.(version, text);
    if (unloaded !== undefined) add("error", `${path}: ${unloaded}: ${mend}.`);
    add("ok", `${path} calls Tenterhook for ${events.join(", ")}.`);
    const closed = orElse(undefined, () => closedProject(integration, file, places, version));
    // Who opens the project is asked about the hooks, too.
    if (closed !== undefined && version !== undefined)
      add("error", `${path}: ${closed.why}. ${closed.way_out}.`);
    else if (untrusted.length > 0)
      add(
        "error",
        `${path}: ${title} skips ${untrusted.join(", ")}. ${integration.trust?.explained(optionFor(integration, one))}`,
      );
    if (missing.length > 0)
      add("error", `${title} does not call Tenterhook for ${missing.join(", ")}.`, { why: path, fix: mend });
    if (extra.length > 0)
      add("note", `${title} calls Tenterhook for ${extra.join(", ")}, which no hook needs.`, {
        why: path,
        fix: mend,
      });
    for (const drift of drifted)
      add(drift.gate ? "error" : "warning", driftText(drift, one, needs), {
        why: path,
        fix: mend,
      });
  }
  const checked = { agent: about, version, settings, findings };
  if (installed.length === 0) {
    if (version !== undefined)
      add("note", `Tenterhook is not installed in ${title}: tenterhook install ${about}${option}.`);
    return checked;
  }
  // Where a file of the user's calls us, what it lacks was reported above.
  if (needs !== undefined && installed.every(({ place }) => place === "project")) {
    const uncalled = uncalledEvents(installation, needs).map(({ native }) => native);
    if (uncalled.length > 0)
      add(
        "warning",
        `${title} does not call Tenterhook for all that your own hooks need (${uncalled.join(", ")}).`,
        { fix: SYNC },
      );
  }
  for (const lift of lifts.filter(({ is_off }) => !is_off)) add("warning", liftText(lift, invocation.cwd));
  const unfound = await unfoundAtLogin(integration, invocation.environment);
  if (unfound !== undefined) add("error", unfound);
  if (installed.length > 1) {
    const files = installed.map(({ file }) => shortPath(file, invocation.cwd));
    add("ok", `Tenterhook is installed in ${files.join(" and ")}; duplicate calls are decided once.`);
  }
  if (
    readsOnlyInRoot(integration, root) &&
    invocation.cwd !== root &&
    !installed.some(({ place }) => place === "user" || place === "managed")
  )
    add(
      "error",
      `${title} started here reads no settings of ${shortPath(root, invocation.cwd)}, only those of this folder: tenterhook install ${about} --user.`,
    );
  for (const warning of integration.warnings ?? []) add("note", warning);
  if (needs !== undefined && needs.never_sent.length > 0)
    add(
      "warning",
      `${title} never sends ${needs.never_sent.join(", ")}; hooks on ${needs.never_sent.length === 1 ? "it" : "these"} will not run there.`,
    );
  for (const message of needs?.foreign ?? []) add("warning", message);
  for (const { text, closed } of unsupportedTexts(needs?.unheard ?? []))
    add(closed ? "note" : "warning", `${title} ${text}`);
  return checked;
}

export const SYNC = "tenterhook install --sync";

/** What is wrong with an entry of ours. */
function driftText(
  { native, narrow, different }: Drifted,
  { text, integration }: InstallationFile,
  needs: Needs | undefined,
): string {
  const { settings, table } = integration;
  const { title } = table;
  const there = settings.entered(text).find((event) => event.native === native)?.timeout;
  const wanted = needs?.events.find((event) => event.native === native)?.timeout;
  const isShort = different.every((key) => /timeout/i.test(key));
  const isNarrow = narrow && different.every((key) => key === "matcher" || /timeout/i.test(key));
  if (isShort && there !== undefined && wanted !== undefined && there < wanted)
    return `${title} may cut a hook on ${native} off after ${there} s; yours may take ${wanted}.`;
  if (isNarrow) return `${title} does not ask about all tools on ${native} that the hooks need.`;
  return `The entry that has ${title} call Tenterhook for ${native} was changed: ${different.join(", ")}.`;
}

/** What nobody has seen this version do. */
function newerThanProven(
  { adapter: { name }, table: { title, evidence }, unproven }: Integration,
  version: string,
  { environment }: Invocation,
): readonly string[] {
  const mine = readProofs(environment)[name];
  if (!isOlder(evidence.version, version) || (mine?.obeys === true && mine.version === version)) return [];
  const differs = unproven?.(version);
  return [
    `${title} ${version} is newer than ${evidence.version}, the last version that was proven${name in DRIVERS ? `: tenterhook prove ${name}` : ""}.${differs === undefined ? "" : ` ${differs}`}`,
  ];
}
