import { managedSettings, orElse, settingsOf } from "../../hook/installed/settings-files.ts";
import { lastLoaded } from "../../hook/last-gate.ts";
import type { Proof, Proven } from "./proof.ts";
import { runAgent } from "./run-agent.ts";
import { inThrowaway } from "./throwaway.ts";

export const LAST_GATE = "last gate";

/** Sees whether the agent loads our plug-in, where settings put it first: it reports that itself. */
export async function triedLastGate(proven: Proven): Promise<readonly Proof[]> {
  const { integration, real, onRun } = proven;
  const { lastGate, table } = integration;
  const files = [
    orElse(undefined, () => settingsOf(integration, "user", real)),
    orElse(undefined, () => managedSettings(integration)),
  ];
  const isSeated = files.some((one) => orElse(undefined, () => lastGate?.folderIn(one?.text)) !== undefined);
  if (!isSeated) return [];
  return inThrowaway(proven, async (folder) => {
    onRun(LAST_GATE);
    await runAgent(proven, { prompt: "begin", steps: [] }, folder);
    if (lastLoaded(folder.environment) !== undefined) return [{ name: LAST_GATE, result: "obeyed" }];
    return [
      {
        name: LAST_GATE,
        result: "not_reached",
        why: `${table.title} does not load our plug-in, so others can lift a refusal`,
        way_out: `Update ${table.title}; tenterhook check shows its settings.`,
      },
    ];
  });
}
