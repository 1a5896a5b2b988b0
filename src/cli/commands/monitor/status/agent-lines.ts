import { isRecord } from "../../../../core/base/json.ts";
import { agentNames } from "../../../../monitor/agent-name.ts";
import { callText } from "../../../../monitor/decisions/call-text.ts";
import { groupOf } from "../../../../shared/monitor/agent-groups.ts";
import type { AgentStatus } from "../../../../shared/monitor/monitor.ts";
import { ageText } from "../../../../terminal/age.ts";
import { GROUPS } from "../../../../terminal/agent-groups.ts";
import { COLOURS } from "../../../../terminal/paint.ts";
import { type Block, pageWidth } from "../../../command-line/screen/report.ts";
import { type Column, tableLines } from "../../../command-line/screen/table.ts";
import { dim, harmlessLine } from "../../../command-line/screen/text.ts";
import { dollars } from "../costs.ts";

const MARGIN = "  ";
/** `● no news?` and two spaces. */
const STATE_COLUMNS = 11;

export function agentLines(agents: readonly AgentStatus[], asking: ReadonlySet<string>): Block {
  const names = agentNames(agents);
  const columns: readonly Column<AgentStatus>[] = [
    {
      title: "",
      cell: ({ since, no_news_since = since }) => ageText(no_news_since, Date.now()),
      right: true,
    },
    {
      title: "",
      cell: ({ agent_id }) => harmlessLine(names.get(agent_id) ?? agent_id),
      least: 24,
      yields: true,
    },
    { title: "", cell: (agent) => harmlessLine(whatOf(agent)), least: 12 },
    { title: "", cell: leftOf, right: true, rare: true },
    { title: "", cell: costOf, right: true, rare: true },
  ];
  const marks = agents.map((agent) => {
    const { mark, word, colour } = GROUPS[groupOf(agent, asking.has(agent.agent_id))];
    const state = `${mark} ${word}${agent.source === "inferred" ? "?" : ""}`;
    return `${MARGIN}${COLOURS[colour](state)}${" ".repeat(STATE_COLUMNS - state.length)}`;
  });
  const isInferred = agents.some(({ source }) => source === "inferred");
  return (size) => {
    const [, ...rows] = tableLines(columns, agents, pageWidth(size) - MARGIN.length - STATE_COLUMNS);
    const legend = isInferred ? [dim(`${MARGIN}?: inferred, no hook said so.`)] : [];
    return [...rows.map((row, at) => `${marks[at]}${row}`), ...legend];
  };
}

function costOf({ usage }: AgentStatus): string {
  return usage === undefined ? "" : dollars(usage.cost_usd);
}

/** How much of its context is left; otherwise how many tokens it has used. */
function leftOf({ usage: { context_left, context_inferred, total_tokens } = {} }: AgentStatus): string {
  const about = context_inferred === true ? "~" : "";
  if (typeof context_left === "number") return `${about}${Math.round(context_left * 100)} % left`;
  return total_tokens === undefined ? "" : `${Math.ceil(total_tokens / 1000)}k used`;
}

/** What an agent asks, why it failed, how it ended, or what it does. */
export function whatOf(agent: AgentStatus): string {
  const { state, question, task = "", waits_for, interrupted, outcome } = agent;
  switch (state) {
    case "prompting":
      return askedText(question);
    case "failed":
      return errorText(agent);
    case "working":
    case "starting":
      return waits_for ?? task;
    case "idle":
      return interrupted === true ? "interrupted" : (outcome ?? "");
    case "exited":
    case "gone":
      return [outcome, endOf(agent), errorText(agent)].filter(Boolean).join(", ");
    default:
      return state satisfies never;
  }
}

function askedText(question: unknown): string {
  const [first] = [question].flat();
  if (isRecord(first) && typeof first.tool_name === "string")
    return callText(first.tool_name, first.tool_input).replaceAll("\n", " · ");
  if (isRecord(first)) return String(first.question ?? "");
  return typeof first === "string" ? first : "";
}

function errorText({ error_type, error_message }: AgentStatus): string {
  const kind = error_type === "other" ? undefined : error_type?.replaceAll("_", " ");
  return [kind, error_message].filter((text) => text !== undefined).join(": ");
}

function endOf({ exit_code, exit_signal }: AgentStatus): string | undefined {
  return exit_signal ?? (exit_code === undefined ? undefined : `code ${exit_code}`);
}
