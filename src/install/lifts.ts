import { statSync } from "node:fs";
import type { Integration, Lift, SettingsPlaces } from "../adapters/integration.ts";
import { lineIn, pathsIn, readFile } from "../adapters/lifts.ts";
import { PLACES } from "../node/places.ts";
import { entriesOf } from "./entries.ts";
import type { Installation } from "./installation.ts";

/** What lets an agent run what our hooks refuse, as far as files and variables tell. */
export interface FoundLift extends Lift {
  /** True for a switch that turns all hooks off; the others may let a call pass. */
  readonly is_off: boolean;
}

/** Everything of others that can lift our hooks in an agent here. Never throws. */
export function liftsIn({ integration, places, off: switches }: Installation): readonly FoundLift[] {
  const off = switches.map(({ where, line, why }): FoundLift => {
    const what = `No hook runs, since ${why}.`;
    return line === undefined
      ? { what, where, way_out: "Unset it.", is_off: true }
      : { what, where, line, way_out: "Take it out there.", is_off: true };
  });
  const found = (integration.lifts ?? []).flatMap((finder) => finder(places));
  const lifts = [...found, ...rewriters(integration, places)];
  return [...off, ...lifts.map((one) => ({ ...one, is_off: false }))];
}

/** Hooks of others on events on which the agent takes a rewrite: they judge the call, and nobody judges the rewrite. */
function rewriters(integration: Integration, places: SettingsPlaces): readonly Lift[] {
  const { table, adapter, importing } = integration;
  if (integration.judgesRewrites?.(places) === true) return [];
  const events = new Set(
    Object.entries(table.events)
      .filter(([, { event, says }]) => GATES.has(event) && says.rewrite !== undefined)
      .map(([native]) => native.toLowerCase()),
  );
  const others = new Set(integration.hookFiles?.(places));
  const found = hookFiles(integration, places).flatMap((path) => {
    const { file, text } = readFile(path);
    return (
      entriesOf(integration, { file, text })
        // Some agents take a name with a small or a capital letter.
        .filter(({ event, isOurs }) => events.has(event.toLowerCase()) && !isOurs)
        .map((entry): readonly [string, Lift] => [
          `${file} ${entry.event} ${entry.command}`,
          {
            what: `The hook ${entry.command} on ${entry.event} may rewrite a call, and nobody judges the rewrite.`,
            where: file,
            line: lineIn(text ?? "", entry.path),
            way_out: others.has(file)
              ? "Read it; remove the plug-in unless you trust it."
              : importing === undefined
                ? "Take it out there, or have Tenterhook run it."
                : `tenterhook import ${adapter.name} ${chosen(integration, places, file)}--remove has Tenterhook run it.`,
          },
        ])
    );
  });
  return [...new Map(found).values()];
}

/** How `import` is told of a file. */
function chosen(integration: Integration, places: SettingsPlaces, file: string): string {
  const scope = integration.scopes.find((one) => integration.settingsFile(one, places) === file);
  if (scope === undefined) return `${PLACES.word(file)} `;
  return scope === integration.scopes[0] ? "" : `--${scope} `;
}

const GATES: ReadonlySet<string | undefined> = new Set(["PreToolUse", "PermissionRequest"]);

/** The files in which an agent finds hooks, but for the administrator's. */
function hookFiles(integration: Integration, places: SettingsPlaces): readonly string[] {
  const files = integration.scopes.flatMap((scope) => [
    integration.settingsFile(scope, places),
    ...(integration.importing?.places?.(scope, places) ?? []),
  ]);
  const named = [...files, ...(integration.hookFiles?.(places) ?? [])].flatMap((path) =>
    statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
      ? pathsIn(path).filter((file) => file.endsWith(".json"))
      : [path],
  );
  return [...new Set(named)];
}
