import type { Integration, SettingsPlaces } from "../adapters/integration.ts";
import type { WantedEvent } from "../adapters/settings/agent-settings.ts";
import type { SettingsText } from "../adapters/settings/json-edit.ts";
import { TenterhookError } from "../core/base/errors.ts";
import { type TrustRecord, trustAfterEdit, trustAfterInstall } from "./agent-trust.ts";
import { neededIn, ownFile, uncalledEvents } from "./file-needs.ts";
import { type Installation, type InstallationFile, readable } from "./installation.ts";
import type { Needs } from "./needs.ts";
import { type Seat, seatFolder, seatFor, staleFiles } from "./seat.ts";
import { asManaged, edited, eventsFor, type SettingsFile } from "./settings-files.ts";

/** What becomes of a settings file, and of the agent's trust in it. Nothing is written yet. */
export interface Change {
  readonly integration: Integration;
  readonly settings: SettingsFile;
  readonly after: SettingsText;
  readonly trust: TrustRecord | undefined;
}

export interface InstallChange extends Change {
  /** The events for which the file calls us afterwards. */
  readonly events: readonly WantedEvent[];
  readonly seat: Seat;
  /** The files of our plug-in that have to be written. */
  readonly stale: ReturnType<typeof staleFiles>;
}

export interface UninstallChange extends Change {
  /** The folder of our plug-in, when the file puts it first. */
  readonly seat: string | undefined;
}

/** A settings file, and the events for which it has to call us. */
export interface FileToWrite {
  readonly settings: SettingsFile;
  readonly needed: readonly WantedEvent[];
  /** True for a file that gets what the chosen one must not have: the needs of the user alone. */
  readonly isOwn?: boolean;
}

/**
 * The chosen file; without one, every file with our entries. What only the user's own configuration needs goes into a file of
 * the user's, never into the one that is committed.
 *
 * @param narrow True for no more than what no other file calls us for.
 * @throws TenterhookError `settings_unreadable`.
 */
export function filesToWrite(
  installation: Installation,
  needs: Needs,
  chosen: SettingsFile | undefined,
  narrow: boolean,
): readonly FileToWrite[] {
  const { integration, own } = installation;
  const installed = ({ events }: InstallationFile): boolean => events.length > 0;
  const files = chosen === undefined ? own.map(readable).filter(installed) : [chosen];
  const needed = files.map((settings): FileToWrite => {
    const isNarrow = narrow || settings.scope === "project" || settings.isManaged === true;
    return { settings, needed: isNarrow ? neededIn(settings, needs, installation) : needs.events };
  });
  const hasProject = files.some(({ scope }) => scope === "project");
  if (!hasProject || uncalledEvents(installation, needs, true).length === 0) return needed;
  const settings = readable(ownFile(installation));
  if (files.some(({ file }) => file === settings.file)) return needed;
  const ours = { settings, needed: neededIn(settings, needs, installation), isOwn: true };
  // A project without hooks of its own has nothing to say in its settings.
  const calls = (one: FileToWrite): boolean =>
    edited(one.settings, integration.settings.installed).length > 0;
  return [...needed.filter((one) => one.needed.length > 0 || calls(one)), ours];
}

/** What a person wants besides. */
export interface Wish {
  readonly stripComments: boolean;
  readonly statusLine: boolean;
  /** True when the agent shall trust our entries. */
  readonly trust: boolean;
}

const STRIP =
  "Take out comments and commas before closing brackets, or have it done: --strip-comments keeps the file as it was in the state folder. It was left as it is.";

/**
 * A settings file that calls us for what is needed.
 *
 * @throws TenterhookError `settings_unreadable` when the agent would not read it.
 */
export function planInstall(
  agent: Integration,
  settings: SettingsFile,
  needed: readonly WantedEvent[],
  wish: Wish,
  places: SettingsPlaces,
): InstallChange {
  const isShared = settings.isManaged === true;
  const integration = isShared ? asManaged(agent) : agent;
  const events = edited(settings, (text) => eventsFor(integration, settings, text, needed, places.root));
  const called = events.map(({ native }) => native);
  const seat = seatFor(integration, settings, called, places);
  const after = edited(settings, (text) => {
    const { lastGate, statusLine } = integration;
    const before = wish.stripComments ? integration.settings.readable(text) : text;
    const ours = integration.settings.install(before, events);
    const entered =
      seat.folder === undefined
        ? (lastGate?.uninstall(ours) ?? ours)
        : lastGate?.install(ours, seat.folder, isShared);
    const written = wish.statusLine && statusLine !== undefined ? statusLine.install(entered) : entered;
    if (events.length > 0) mustBeRead(integration, before, written);
    return written;
  });
  const stale = seat.folder === undefined ? [] : staleFiles(integration, settings, places.environment);
  const file = { file: settings.file, text: after };
  const trust = trustAfterInstall(integration, settings, file, wish.trust, places);
  return { integration, settings, after, trust, events, seat, stale };
}

/** Problems of our own entries are fixed by writing; line numbers are those of the current file. */
function mustBeRead({ settings }: Integration, before: SettingsText, written: SettingsText): void {
  const unread = settings.unread(written) && settings.unread(before);
  if (unread === undefined) return;
  const { why, strippable } = unread;
  const hint = strippable ? { hint: STRIP } : {};
  throw new TenterhookError("settings_unreadable", `${why}: its hooks would not run.`, hint);
}

/**
 * A settings file without us.
 *
 * @throws TenterhookError `settings_unreadable`.
 */
export function planUninstall(
  agent: Integration,
  settings: SettingsFile,
  places: SettingsPlaces,
): UninstallChange {
  const integration = settings.isManaged === true ? asManaged(agent) : agent;
  const { statusLine, lastGate } = agent;
  const folder = seatFolder(agent, settings, places.environment);
  const isSeated = lastGate !== undefined && edited(settings, lastGate.folderIn) === folder;
  const after = edited(settings, (text) => {
    const unseated = lastGate === undefined ? text : lastGate.uninstall(text);
    return integration.settings.uninstall(
      statusLine === undefined ? unseated : statusLine.uninstall(unseated),
    );
  });
  return { ...planEdit(integration, settings, after, places), seat: isSeated ? folder : undefined };
}

/** A settings file that gets no entry of ours. */
export function planEdit(
  integration: Integration,
  settings: SettingsFile,
  after: SettingsText,
  places: SettingsPlaces,
): Change {
  const trust = trustAfterEdit(integration, settings, { file: settings.file, text: after }, places);
  return { integration, settings, after, trust };
}

/** True when something has to be written. */
export function changes({
  settings,
  after,
  stale = [],
}: Change & Partial<Pick<InstallChange, "stale">>): boolean {
  return after !== settings.text || stale.length > 0;
}
