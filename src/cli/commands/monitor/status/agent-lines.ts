import type { AgentStatus } from "../../../../shared/monitor/monitor.ts";
import { ageText } from "../../../../terminal/age.ts";
import { compareInList, GROUPS, groupOf } from "../../../../terminal/agent-groups.ts";
import type { Paint } from "../../../command-line/screen/screen.ts";
import { type Column, tableLines } from "../../../command-line/screen/table.ts";
import { cut, harmlessLine } from "../../../command-line/screen/text.ts";
import { dollars } from "../costs.ts";
import { whatOf } from "./what-of.ts";

/** What needs a human first; in one group, what has lasted longest. */
export function byState(agents: readonly AgentStatus[]): readonly AgentStatus[] {
  return [...agents].sort((one, other) => compareInList([groupOf(one), one], [groupOf(other), other]));
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
    {
      title: "",
      cell: ({ since, no_news_since = since }) => ageText(no_news_since, Date.now()),
      right: true,
    },
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

/** How much of its context is left; otherwise how many tokens it has used. */
function leftOf({ usage: { context_left, context_inferred, total_tokens } = {} }: AgentStatus): string {
  const about = context_inferred === true ? "~" : "";
  if (typeof context_left === "number") return `${about}${Math.round(context_left * 100)} % left`;
  return total_tokens === undefined ? "" : `${Math.ceil(total_tokens / 1000)}k used`;
}
