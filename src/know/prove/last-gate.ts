import { writeFileSync } from "node:fs";
import { managedSettings, orElse, readSettings, settingsOf } from "../../hook/installed/settings-files.ts";
import { lastLoaded } from "../../hook/last-gate.ts";
import type { Proof, Proven } from "./proof.ts";
import { runAgent } from "./run-agent.ts";
import { inThrowaway } from "./throwaway.ts";

export const LAST_GATE = "last gate";

/**
 * Sees whether the agent loads our plug-in, where settings put it first: it reports that itself. What else is tried is tried
 * without it, since it would hide that a settings hook is not asked.
 */
export async function triedLastGate(proven: Proven): Promise<readonly Proof[]> {
  const { integration, real, onRun } = proven;
  const { lastGate, table } = integration;
  const seatIn = (read: () => { readonly text?: string | undefined } | undefined) =>
    orElse(undefined, () => lastGate?.folderIn(read()?.text));
  const own = seatIn(() => settingsOf(integration, "user", real));
  if (own === undefined && seatIn(() => managedSettings(integration)) === undefined) return [];
  return inThrowaway(proven, async (folder) => {
    onRun(LAST_GATE);
    const settings = integration.settingsFile("user", folder.places);
    const seated = own === undefined ? undefined : lastGate?.install(readSettings(settings), own, false);
    if (seated !== undefined) writeFileSync(settings, seated);
    await runAgent(proven, { prompt: "begin", steps: [] }, folder);
    if (lastLoaded(folder.environment) !== undefined) return [{ name: LAST_GATE, result: "obeyed" }];
    return [
      {
        name: LAST_GATE,
        result: "not_reached",
        why: `${table.title} does not load our plug-in, so others can lift a refusal`,
        way_out: `Update ${table.title}; tenterhook doctor shows its settings.`,
      },
    ];
  });
}
