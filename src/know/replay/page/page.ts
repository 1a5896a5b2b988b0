import type { Replay } from "../tally.ts";
export function replayPage(found: Replay, _titles: ReadonlyMap<string, string>): string {
  return JSON.stringify(found);
}
