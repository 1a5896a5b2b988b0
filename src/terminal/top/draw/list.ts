import { harmlessLine } from "../../../shared/harmless.ts";
import { ageText, clockText } from "../../age.ts";
import { countsOf, GROUPS } from "../../agent-groups.ts";
import { columns, cut, padded } from "../../layout.ts";
import type { Paint } from "../../paint.ts";
import type { SeenAgent } from "../port.ts";
import { KINDS, seenGroup, stateText } from "../rows.ts";
import { currentAgent, type TopState } from "../state.ts";
import type { Window } from "../window.ts";

/** Narrower screens never have room for what is left of a context. */
const WIDE_COLUMNS = 70;
const MOST_OF_NAME = 0.3;
/** `● no news`, and a space. */
const STATE_COLUMNS = 10;
const AGE_COLUMNS = 6;

/** `3 wait · 4 work`, what they cost, and the time. */
export function headerLine(
  { agents = [], filter }: TopState,
  width: number,
  paint: Paint,
  now: number,
): string {
  const counts = countsOf(agents.map(seenGroup));
  const left = counts.map(({ text, colour }) => (colour === "dim" ? text : paint[colour](text))).join(" · ");
  const plain = counts.map(({ text }) => text).join(" · ") || "No agents";
  const costs = agents.flatMap(({ agent }) => agent.usage?.cost_usd ?? []);
  const cost = costs.length === 0 ? "" : `$${costs.reduce((sum, one) => sum + one, 0).toFixed(2)}    `;
  const only = [filter.kind === undefined ? "" : KINDS[filter.kind].only, filter.text && `/${filter.text}`]
    .filter(Boolean)
    .join(" ");
  const right = `${cost}${clockText(now)}`;
  const room = width - 4 - columns(plain) - columns(right);
  const note = only === "" ? "" : `   ${cut(harmlessLine(only), Math.max(0, room - 5))}`;
  const gap = " ".repeat(Math.max(1, room - columns(note)));
  return `  ${left || plain}${paint.bold(note)}${gap}${paint.dim(right)}`;
}

/** One line for each agent in the window. */
export function listLines(
  state: TopState,
  { rows, above, below }: Window,
  width: number,
  paint: Paint,
  now: number,
): readonly string[] {
  const current = currentAgent(state);
  const longest = Math.max(0, ...rows.map(({ name }) => columns(harmlessLine(name))));
  const nameColumns = Math.max(8, Math.min(longest, Math.floor(width * MOST_OF_NAME)));
  const room = Math.max(0, width - (2 + STATE_COLUMNS + AGE_COLUMNS + 2 + nameColumns + 2) - 2);
  const told = rows.map(({ agent }) => leftText(agent.usage?.context_left));
  const longestWhat = Math.max(0, ...rows.map(({ what }) => columns(harmlessLine(what))));
  const toldColumns = Math.max(0, ...told.map((text) => (text === "" ? 0 : columns(text) + 2)));
  // What an agent asks or does comes before what is left of its context.
  const hasRoom = width >= WIDE_COLUMNS && longestWhat <= room - toldColumns;
  const lefts = hasRoom ? told : [];
  const leftColumns = hasRoom ? Math.max(0, toldColumns - 2) : 0;
  const whatColumns = hasRoom ? room - toldColumns : room;
  const lines = rows.map((seen, at) => {
    const { colour } = GROUPS[seenGroup(seen)];
    const { agent, name, what } = seen;
    const state = padded(stateText(seen), STATE_COLUMNS);
    const age = padded(ageText(agent.since, now), AGE_COLUMNS, true);
    const shownName = padded(cut(harmlessLine(name), nameColumns), nameColumns);
    const about = padded(cut(harmlessLine(what), whatColumns), whatColumns);
    const isCurrent = seen === current;
    return `${isCurrent ? paint.bold("› ") : "  "}${paint[colour](state)}${paint.dim(age)}  ${isCurrent ? paint.bold(shownName) : shownName}  ${about}  ${paint.dim(padded(lefts[at] ?? "", leftColumns, true))}`.trimEnd();
  });
  // What is out of sight is counted in the line where it would be.
  if (above > 0 && lines.length > 2) lines[0] = paint.dim(`  ↑ ${above + 1} more`);
  if (below > 0 && lines.length > 2) lines[lines.length - 1] = paint.dim(`  ↓ ${below + 1} more`);
  return lines;
}

function leftText(context_left: unknown): string {
  return typeof context_left === "number" ? `${Math.round(context_left * 100)} % left` : "";
}

/** What stands in place of a list without agents. */
export function emptyLines(
  { agents, filter, problem }: TopState,
  shown: readonly SeenAgent[],
): readonly string[] {
  if (shown.length > 0 || problem !== undefined) return [];
  if (agents === undefined) return ["  Asking the monitor."];
  if (agents.length > 0)
    return [
      `  No agent is like that${filter.text === "" ? "" : `: /${harmlessLine(filter.text)}`}.  esc shows all`,
    ];
  return [
    "  No agent has run yet. Install Tenterhook in one and start it, or run one under it:",
    "",
    "    tenterhook install claude",
    "    tenterhook run -- claude",
  ];
}
