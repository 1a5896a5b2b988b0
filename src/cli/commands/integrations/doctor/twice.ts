import { ownName, rowOf } from "../../../../adapters/codec/agent-table.ts";
import type { Integration, SettingsPlaces } from "../../../../adapters/integration.ts";
import type { Config } from "../../../../config.ts";
import { isRecord } from "../../../../core/base/json.ts";
import type { Finding } from "../../../../install/finding.ts";
import { installationOf } from "../../../../install/installation.ts";
import { orElse } from "../../../../install/settings-files.ts";
import { shortPath } from "../../../command-line/screen/text.ts";
import { isSameHook } from "../import/configuration.ts";
import { sourcesOf } from "../import/sources.ts";

/**
 * Hooks that the agent runs from its own files and, imported, through us: where it calls us for their event. Never
 * throws.
 */
export function twiceFindings(
  integration: Integration,
  { definitions }: Config,
  places: SettingsPlaces,
  cwd: string,
): readonly Finding[] {
  const { name: about } = integration.adapter;
  const { importing } = integration;
  if (importing === undefined) return [];
  const ours = definitions.filter(({ enabled }) => enabled);
  const { own } = installationOf(integration, places);
  const called = new Set<string>(
    own
      .flatMap(({ events }) => events)
      .map((native) => rowOf(integration.table, native).event ?? ownName(integration.table, native)),
  );
  const found = new Map<string, Finding>();
  for (const settings of own) {
    const sources = orElse([], () => sourcesOf(integration, settings, places));
    for (const { file, foreign } of sources) {
      for (const { definition } of importing.importHooks(foreign).hooks) {
        if (!eventsOf(definition).some((event) => called.has(event))) continue;
        const twin = ours.find(
          (one) => definition !== undefined && isSameHook({ ...one.definition }, definition),
        );
        if (twin === undefined) continue;
        const message = `${twin.name} runs twice: the original is still in ${shortPath(file, cwd)}. tenterhook import ${about} --${settings.place} --remove takes it out.`;
        found.set(`${file} ${twin.name}`, { level: "warning", about, message });
      }
    }
  }
  return [...found.values()];
}

/** Our names of the events that a definition is for. */
function eventsOf(definition: Readonly<Record<string, unknown>> | undefined): readonly string[] {
  const matcher = definition?.matcher;
  const events: unknown = isRecord(matcher) ? matcher.events : [];
  return Array.isArray(events) ? events : [];
}
