import type { StateChange } from "../../shared/monitor/monitor.ts";
import type { Band, Bands } from "./wire.ts";

/** States over time: neighbours that are equal are one band, and what began before `from` begins there. */
export function bandsOf(
  changes: readonly StateChange[],
  names: ReadonlyMap<string, string>,
  from: number,
  to: number,
): Bands {
  const agents = new Map<string, Band[]>();
  for (const { agent_id, since, state, source } of changes) {
    const bands = agents.get(agent_id) ?? [];
    agents.set(agent_id, bands);
    const start = Math.max(from, Date.parse(since));
    const last = bands.at(-1);
    if (last !== undefined) bands[bands.length - 1] = { ...last, to: start };
    if (last?.state === state && last.source === source) bands[bands.length - 1] = { ...last, to };
    else bands.push({ state, source, from: start, to });
  }
  return {
    from,
    to,
    agents: [...agents].flatMap(([id, bands]) => {
      const shown = bands.filter((band) => band.to > band.from);
      const isOver = shown.every(({ state }) => state === "exited" || state === "gone");
      return isOver ? [] : [{ id, name: names.get(id) ?? id, bands: shown }];
    }),
  };
}
