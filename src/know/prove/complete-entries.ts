import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Integration, SettingsPlaces } from "../../adapters/integration.ts";
import type { WantedEvent } from "../../adapters/settings/agent-settings.ts";
import { type SettingsText, valueAt } from "../../adapters/settings/json-edit.ts";
import { isRecord, parseJson } from "../../core/base/json.ts";
import type { Entry } from "../../install/entries.ts";
import { installationOf } from "../../install/installation.ts";
import { orElse, readSettings } from "../../install/settings-files.ts";
import { asksAboutShell } from "./diagnose.ts";

/** The name of a second plug-in of ours: the first one stays as it is. */
const SECOND_PLUGIN = "tenterhook-canary.js";

/**
 * Adds entries for events that the person's own hooks do not need, so that these can be tried as well. An entry that is
 * there stays as it is: it is what is proved.
 */
export function completeEntries(
  integration: Integration,
  places: SettingsPlaces,
  needed: readonly WantedEvent[],
  own: readonly WantedEvent[],
): void {
  const { own: files } = installationOf(integration, places);
  // A copy that the agent can't read stays so.
  if (files.some(({ problem }) => problem !== undefined)) return;
  const entries = files.flatMap((one) => one.entries);
  const there = entries.filter(({ isOurs }) => isOurs);
  const isThere = (list: readonly Pick<Entry, "event" | "matcher">[], native: string) =>
    list.some((one) => one.event === native && asksAboutShell(integration, one));
  const isMeant = own.map(({ native: event, matcher }) => ({ event, matcher }));
  const missing = needed.filter(({ native }) => {
    const isEntered = there.some(({ event }) => event === native);
    return !isThere(there, native) && !(isEntered && isThere(isMeant, native));
  });
  if (missing.length === 0) return;
  const file = integration.settingsFile("user", places);
  const added = integration.settings.install(undefined, missing) ?? "{}";
  if (parseJson(added) === undefined) {
    write(join(dirname(file), SECOND_PLUGIN), added);
    return;
  }
  const isTrusted = trusts(integration, places);
  const known = valueAt(readSettings(file), []) ?? {};
  write(file, JSON.stringify(joined(known, parseJson(added))));
  if (isTrusted) trustAgain(integration, places, file);
}

/** Gives our entries so many seconds, everything else as it was. */
export function shortenTimeouts(integration: Integration, places: SettingsPlaces, timeout: number): void {
  const { settings } = integration;
  const isTrusted = trusts(integration, places);
  for (const { file, text } of installationOf(integration, places).own) {
    const entered = orElse([], () => settings.entered(text));
    if (entered.length === 0) continue;
    const short = entered.map((event) => ({ ...event, timeout }));
    // An entry with more time than is asked for would stay as it is.
    write(file, settings.install(settings.uninstall(text), short) ?? "");
    if (isTrusted) trustAgain(integration, places, file);
  }
}

/** True when the agent trusts every entry of ours; false too when it trusts all hooks. */
function trusts({ trust, ...integration }: Integration, places: SettingsPlaces): boolean {
  if (trust === undefined) return false;
  return installationOf({ trust, ...integration }, places).own.every(
    ({ untrusted }) => untrusted.length === 0,
  );
}

function trustAgain(integration: Integration, places: SettingsPlaces, file: string): void {
  const { trust } = integration;
  if (trust === undefined) return;
  const installed = { file, text: readFileSync(file, "utf8") };
  write(trust.file(places), trust.grant(installed, recorded(integration, places)) ?? "");
}

function recorded({ trust }: Integration, places: SettingsPlaces): SettingsText {
  return trust === undefined ? undefined : orElse(undefined, () => readSettings(trust.file(places)));
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Two JSON values: the lists of the second behind those of the first. */
function joined(one: unknown, other: unknown): unknown {
  if (Array.isArray(one) && Array.isArray(other)) return [...one, ...other];
  if (!isRecord(one) || !isRecord(other)) return other;
  const keys = Object.keys({ ...one, ...other });
  return Object.fromEntries(
    keys.map((key) => [
      key,
      !(key in one) ? other[key] : !(key in other) ? one[key] : joined(one[key], other[key]),
    ]),
  );
}
