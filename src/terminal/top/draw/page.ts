import { pathFromHome } from "../../../node/user-folders.ts";
import { harmlessLine } from "../../../shared/harmless.ts";
import { tagOf } from "../../../shared/tags.ts";
import { ageText, clockText } from "../../age.ts";
import { GROUPS } from "../../agent-groups.ts";
import { columns, cut, cutWords, padded } from "../../layout.ts";
import type { Paint } from "../../paint.ts";
import { tokensText } from "../../words.ts";
import type { SeenAgent, TimelineEntry } from "../port.ts";
import { seenGroup, stateText } from "../rows.ts";
import type { OpenedAgent } from "../state.ts";

/** Who it is, what it does and what it has used. */
export function pageHead(seen: SeenAgent, width: number, paint: Paint, now: number): readonly string[] {
  const { agent, name, what } = seen;
  const { colour } = GROUPS[seenGroup(seen)];
  const { usage, host, cwd, session_id, task } = agent;
  const state = `${stateText(seen)} ${ageText(agent.since, now)}`;
  const used = [
    usage?.total_tokens === undefined ? "" : `${tokensText(usage.total_tokens)} tokens`,
    usage?.cost_usd === undefined ? "" : `$${usage.cost_usd.toFixed(2)}`,
    typeof usage?.context_left === "number" ? `${Math.round(usage.context_left * 100)} % left` : "",
  ].filter(Boolean);
  const place = [host, cwd && pathFromHome(cwd), session_id && `session ${tagOf(session_id)}`]
    .filter(Boolean)
    .join(" · ");
  const line = (title: string, text: string | undefined): readonly string[] =>
    text === undefined || text === ""
      ? []
      : [`  ${paint.dim(padded(title, 6))} ${cut(harmlessLine(text), width - 11)}`];
  return [
    `  ${paint.bold(cut(harmlessLine(name), Math.floor(width / 2)))}   ${paint[colour](state)}   ${paint.dim(used.join("   "))}`,
    ...line("in", place),
    ...line("task", task),
    ...line(seen.asks === undefined ? "now" : "", seen.asks === undefined ? what : undefined),
  ];
}

/** The calls and what hooks said about them, the newest last. */
export function timelineLines(
  { entries, below }: OpenedAgent,
  room: number,
  width: number,
  paint: Paint,
): readonly string[] {
  if (entries === undefined) return ["  Reading what hooks decided."];
  if (entries.length === 0) return ["  No hook has decided anything in this session yet."];
  const end = entries.length - below;
  const shown = entries.slice(Math.max(0, end - room), end);
  const verdictColumns = Math.max(0, ...shown.map(({ verdict }) => columns(verdict)));
  const left = 2 + 8 + 2 + verdictColumns + 2;
  const callColumns = Math.floor((width - left) * 0.55);
  const lines = shown.map((entry) => entryLine(entry, { left, verdictColumns, callColumns, width }, paint));
  if (end - shown.length > 0) lines[0] = paint.dim(`  ↑ ${end - shown.length + 1} earlier`);
  if (below > 0) lines[lines.length - 1] = paint.dim(`  ↓ ${below + 1} later`);
  return lines;
}

interface EntryColumns {
  readonly left: number;
  readonly verdictColumns: number;
  readonly callColumns: number;
  readonly width: number;
}

function entryLine(
  { time, verdict, weight, call, why }: TimelineEntry,
  { left, verdictColumns, callColumns, width }: EntryColumns,
  paint: Paint,
): string {
  const colour = { stopped: paint.red, asked: paint.yellow, plain: paint.dim }[weight];
  const about = padded(cutWords(call, callColumns), callColumns);
  const because = cutWords(why, width - left - callColumns - 3);
  return `  ${paint.dim(clockText(Date.parse(time)))}  ${colour(padded(verdict, verdictColumns))}  ${about}  ${paint.dim(because)}`.trimEnd();
}
