import type { AgentStatus } from "../../../../shared/monitor/monitor.ts";
import type { Paint } from "../../../command-line/screen/screen.ts";
import { type Column, tableLines } from "../../../command-line/screen/table.ts";
import { age, cut, harmlessLine } from "../../../command-line/screen/text.ts";
import { dollars } from "../costs.ts";
import { whatOf } from "./what-of.ts";

/** How a state is shown. */
interface Group {
  /** `working` is `works` for people. */
  readonly word: string;
  /** After a number: `3 wait`. */
  readonly counted: string;
  readonly mark: "●" | "◌" | "○";
  readonly colour: keyof Paint;
}

/** The groups of agents, those that need somebody first. */
const GROUPS = {
  waits: { word: "waits", counted: "wait", mark: "●", colour: "yellow" },
  failed: { word: "failed", counted: "failed", mark: "●", colour: "red" },
  gone: { word: "gone", counted: "gone", mark: "●", colour: "red" },
  works: { word: "works", counted: "work", mark: "●", colour: "cyan" },
  quiet: { word: "no news", counted: "without news", mark: "◌", colour: "dim" },
  starts: { word: "starts", counted: "start", mark: "●", colour: "dim" },
  idle: { word: "idle", counted: "idle", mark: "○", colour: "dim" },
  ended: { word: "ended", counted: "ended", mark: "○", colour: "dim" },
} as const satisfies Readonly<Record<string, Group>>;

type GroupName = keyof typeof GROUPS;

const ORDER = Object.keys(GROUPS);

const GROUP_OF: Readonly<Record<AgentStatus["state"], GroupName>> = {
  prompting: "waits",
  failed: "failed",
  gone: "gone",
  working: "works",
  starting: "starts",
  idle: "idle",
  exited: "ended",
};

function groupOf({ state, no_news_since }: AgentStatus): GroupName {
  return state === "working" && no_news_since !== undefined ? "quiet" : GROUP_OF[state];
}

/** What needs a human first; of one state, what has lasted longest. */
export function byState(agents: readonly AgentStatus[]): readonly AgentStatus[] {
  const rank = (agent: AgentStatus): number => ORDER.indexOf(groupOf(agent));
  return [...agents].sort(
    (one, other) =>
      rank(one) - rank(other) || (one.since < other.since ? -1 : one.since > other.since ? 1 : 0),
  );
}

/** `3 wait · 4 work · 1 failed`. */
export function countsOf(agents: readonly AgentStatus[]): string {
  const names = agents.map(groupOf);
  const counts = Object.entries(GROUPS).map(([name, group]) => ({
    number: names.filter((one) => one === name).length,
    group,
  }));
  return counts
    .flatMap(({ number, group }) => (number === 0 ? [] : [`${number} ${group.counted}`]))
    .join(" · ");
}

/** What a terminal has room for. */
interface Room {
  readonly paint: Paint;
  readonly width: number;
  readonly names: ReadonlyMap<string, string>;
}

const MARGIN = "  ";
/** `● no news?` and two spaces. */
const STATE_COLUMNS = 11;

/** One line for each agent, in the order that they have. */
export function agentLines(agents: readonly AgentStatus[], room: Room): readonly string[] {
  const { paint, width, names } = room;
  const columns: readonly Column<AgentStatus>[] = [
    { title: "", cell: ({ since, no_news_since = since }) => age(no_news_since), right: true },
    { title: "", cell: ({ agent_id }) => harmlessLine(names.get(agent_id) ?? agent_id), least: 12 },
    { title: "", cell: (agent) => harmlessLine(whatOf(agent)), least: 12 },
    { title: "", cell: leftOf, right: true },
    { title: "", cell: ({ usage }) => (usage === undefined ? "" : dollars(usage.cost_usd)), right: true },
  ];
  const [, ...rows] = tableLines(columns, agents, width - MARGIN.length - STATE_COLUMNS);
  const lines = rows.map((row, at) => {
    const agent = agents[at];
    if (agent === undefined) return row;
    const { mark, word, colour } = GROUPS[groupOf(agent)];
    const state = `${mark} ${word}${agent.source === "inferred" ? "?" : ""}`;
    return `${MARGIN}${paint[colour](state)}${" ".repeat(STATE_COLUMNS - state.length)}${row}`;
  });
  const isInferred = agents.some(({ source }) => source === "inferred");
  const legend = isInferred ? [paint.dim(cut(`${MARGIN}?: inferred, no hook said so.`, width))] : [];
  return [...lines, ...legend];
}

/** How much of its context is left; where nobody knows that, how many tokens it has used. */
function leftOf({ usage: { context_left, context_inferred, total_tokens } = {} }: AgentStatus): string {
  const about = context_inferred === true ? "~" : "";
  if (typeof context_left === "number") return `${about}${Math.round(context_left * 100)} % left`;
  return total_tokens === undefined ? "" : `${Math.ceil(total_tokens / 1000)}k used`;
}
