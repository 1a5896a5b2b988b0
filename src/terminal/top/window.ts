import type { SeenAgent } from "./port.ts";
import { currentAgent, shownAgents, type TopState } from "./state.ts";

/** The rows of the list that are on the screen. */
export interface Window {
  readonly first: number;
  readonly rows: readonly SeenAgent[];
  /** How many there are above and below. */
  readonly above: number;
  readonly below: number;
}

/** Lines at the edges that say how much is out of sight. */
const EDGE = 1;

/** The smallest move of the window that shows the current agent, and not at an edge that says what is beyond it. */
export function listWindow(state: TopState, room: number): Window {
  const all = shownAgents(state);
  const current = currentAgent(state);
  const at = current === undefined ? 0 : Math.max(0, all.indexOf(current));
  const count = Math.max(1, room);
  const last = Math.max(0, all.length - count);
  const edge = count > 2 * EDGE ? EDGE : 0;
  const highest = at - edge;
  const lowest = at + edge - count + 1;
  const first = Math.max(0, Math.min(last, Math.max(lowest, Math.min(highest, state.first))));
  const rows = all.slice(first, first + count);
  return { first, rows, above: first, below: Math.max(0, all.length - first - rows.length) };
}
