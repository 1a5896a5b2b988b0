import type { Integration, Lift, SettingsPlaces } from "../../adapters/integration.ts";
import { shortPath } from "../command-line/screen/text.ts";

/** `.claude/settings.json:3: what it can do. What to do about it.` */
export function liftText({ where, line, what, way_out }: Lift, cwd: string): string {
  const place = line === undefined ? where : `${shortPath(where, cwd)}:${line}`;
  return `${place}: ${what} ${way_out}${/[.!?]$/.test(way_out) ? "" : "."}`;
}

/** What people have to know about the plug-ins of others that act by themselves, a text for each. Never throws. */
export function actingMods(
  { lastGate, table }: Integration,
  places: SettingsPlaces,
  allowed: readonly string[],
  cwd: string,
): readonly { readonly isLeftOut: boolean; readonly text: string }[] {
  return (lastGate?.actingMods(places) ?? [])
    .filter(({ id }) => id === undefined || !allowed.includes(id))
    .map(({ folder, id, isLeftOut }) => {
      const path = shortPath(folder, cwd);
      if (!isLeftOut) return { isLeftOut, text: `${path} sends requests by itself, which no hook sees.` };
      const what = `${path} starts programs or writes files by itself, or changes what others do, which no hook sees, so ${table.title} gets none of its code.`;
      const allow =
        id === undefined
          ? "It has too many files to be allowed."
          : `To allow it: mods: { allow: [${JSON.stringify(id)}] } in your own hooks.yaml.`;
      return { isLeftOut, text: `${what} ${allow}` };
    });
}
