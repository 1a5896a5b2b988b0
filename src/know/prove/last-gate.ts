import { lastLoaded } from "../../hook/last-gate.ts";
import { installationOf } from "../../install/installation.ts";
import { orElse } from "../../install/settings-files.ts";
import type { Proof, Proven } from "./proof.ts";
import { runAgent } from "./run-agent.ts";
import { inThrowaway } from "./throwaway.ts";

export const LAST_GATE = "last gate";

/** Sees whether the agent loads our plug-in, where settings put it first: it reports that itself. */
export async function triedLastGate(proven: Proven): Promise<readonly Proof[]> {
  const { integration, real, onRun } = proven;
  const { lastGate, table } = integration;
  const isSeated = installationOf(integration, real).files.some(
    ({ place, text }) =>
      (place === "user" || place === "managed") &&
      orElse(undefined, () => lastGate?.folderIn(text)) !== undefined,
  );
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
