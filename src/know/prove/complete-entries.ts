import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Integration, SettingsPlaces } from "../../adapters/integration.ts";
import type { WantedEvent } from "../../adapters/settings/agent-settings.ts";
import { valueAt } from "../../adapters/settings/json-edit.ts";
import { isRecord } from "../../core/base/json.ts";
import { orElse, readSettings } from "../../hook/installed/settings-files.ts";
import { asksAboutShell } from "./diagnose.ts";
import { type Entry, ourEntries, settingsIn } from "./entries.ts";

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
  const { settings, trust } = integration;
  const there = ourEntries(integration, places);
  const isThere = (list: readonly Pick<Entry, "event" | "matcher">[], native: string) =>
    list.some((one) => one.event === native && asksAboutShell(integration, one));
  const isMeant = own.map(({ native: event, matcher }) => ({ event, matcher }));
  const missing = needed.filter(({ native }) => {
    const isEntered = there.some(({ event }) => event === native);
    return !isThere(there, native) && !(isEntered && isThere(isMeant, native));
  });
  if (missing.length === 0) return;
  const file = integration.settingsFile("user", places);
  const before = orElse(undefined, () => readSettings(file));
  const isTrusting =
    trust !== undefined &&
    settingsIn(integration, places).every(
      (one) =>
        trust.untrusted(
          one,
          orElse(undefined, () => readSettings(trust.file(places))),
        ).length === 0,
    );
  mkdirSync(dirname(file), { recursive: true });
  const added: unknown = JSON.parse(settings.install(undefined, missing) ?? "{}");
  const known = orElse<unknown>({}, () => valueAt(before, []) ?? {});
  writeFileSync(file, JSON.stringify(joined(known, added)));
  if (!isTrusting) return;
  const record = orElse(undefined, () => readSettings(trust.file(places)));
  mkdirSync(dirname(trust.file(places)), { recursive: true });
  writeFileSync(trust.file(places), trust.grant({ file, text: readFileSync(file, "utf8") }, record) ?? "");
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
