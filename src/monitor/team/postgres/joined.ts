import type { MonitorStore } from "../../../shared/monitor/monitor.ts";
import type { PassedAnswer } from "../../monitor.ts";
import type { SharedLog } from "./shared-log.ts";

/** Takes answers that were given on other machines of the database, for machines that fetch theirs here. */
export function answersForJoined(store: Pick<MonitorStore, "update">, log: Pick<SharedLog, "answersFor">) {
  return async (machines: readonly string[]): Promise<void> => {
    if (machines.length === 0) return;
    const given = await log.answersFor(machines);
    if (given.length === 0) return;
    await store.update((tables) => {
      for (const { machine, answer: passed } of given) {
        const decision = tables.decision(passed.id);
        if (decision?.machine !== machine || decision.state !== "open") continue;
        if (decision.call_digest !== passed.call) continue;
        tables.putDecision({ ...decision, state: "resolved", resolved: resolutionOf(passed) });
      }
    });
  };
}

function resolutionOf({ answer, by, channel }: PassedAnswer) {
  return { at: new Date().toISOString(), by, channel, answer };
}
