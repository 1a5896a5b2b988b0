import { isRecord } from "../../core/base/json.ts";
import { capText } from "../../core/base/text.ts";
import { hasFailed, inOrder } from "../../shared/monitor/agent-groups.ts";
import type { AgentState, AgentStatus } from "../../shared/monitor/monitor.ts";
import { agentNames } from "../agent-name.ts";
import { callText } from "../decisions/call-text.ts";
import { isReached } from "../report/sources.ts";
import type { AgentView } from "./wire.ts";

const ENDED: ReadonlySet<AgentState> = new Set(["exited", "gone"]);
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
const LONGEST = 300;

/** The call that an agent of a session made last. */
export type LastCall = (session: string) => { readonly tool: string; readonly summary: string } | undefined;

/** Agents as the page shows them; those that ended more than a day ago are left out. */
export function agentViews(
  agents: readonly AgentStatus[],
  asking: ReadonlySet<string>,
  lastCall: LastCall,
): readonly AgentView[] {
  const names = agentNames(agents);
  const isOld = ({ state, since }: AgentStatus): boolean =>
    ENDED.has(state) && Date.now() - Date.parse(since) > DAY_MILLISECONDS;
  const shown = agents.filter((agent) => !isOld(agent) || asking.has(agent.agent_id));
  return inOrder(shown, (agent) => [agent, asking.has(agent.agent_id)]).map((agent) =>
    agentView(agent, names.get(agent.agent_id) ?? agent.agent_id, lastCall),
  );
}

export function agentView(agent: AgentStatus, name: string, lastCall: LastCall): AgentView {
  const { agent_id: id, host, state, since, session_id, cwd, usage = {}, source = "hook" } = agent;
  const { no_news_since, pid } = agent;
  const isOver = ENDED.has(state);
  const { total_tokens: tokens, cost_usd, context_left } = usage;
  return {
    id,
    name,
    state,
    words: wordsOf(agent),
    ...(hasFailed(agent) ? { failed: true } : {}),
    since,
    source,
    host,
    session_id,
    cwd,
    tokens,
    cost_usd,
    no_news_since,
    ...(isOver || pid === undefined || agent.process?.is_editor === true ? {} : { can_stop: true }),
    ...(isReached(agent) && agent.machine === undefined ? { can_hear: true } : {}),
    ...(typeof context_left === "number" ? { context_left } : {}),
    ...doingOf(agent, lastCall),
  };
}

/** The state in words, as people say it. */
function wordsOf({ state, error_type, exit_code, outcome, pending }: AgentStatus): string {
  switch (state) {
    case "prompting":
      return "waits for you";
    case "failed":
      return error_type === undefined || error_type === "other" ? "failed" : error_type.replaceAll("_", " ");
    case "exited":
      if (outcome !== undefined) return outcome;
      return exit_code === undefined || exit_code === 0 ? "ended" : `ended with ${exit_code}`;
    case "gone":
      return "process gone";
    case "idle":
      return pending === undefined ? (outcome ?? "idle") : "being continued";
    case "working":
    case "starting":
      return state;
    default:
      return state satisfies never;
  }
}

function doingOf(agent: AgentStatus, lastCall: LastCall): Pick<AgentView, "doing" | "is_call"> {
  const { question, error_message, state, session_id, task } = agent;
  if (state === "prompting") {
    const [first] = [question].flat();
    if (isRecord(first) && typeof first.tool_name === "string")
      return {
        doing: capText(callText(first.tool_name, first.tool_input).replaceAll("\n", " · "), LONGEST),
        is_call: true,
      };
    const text = isRecord(first) ? first.question : first;
    if (typeof text === "string") return { doing: capText(text, LONGEST) };
  }
  if (error_message !== undefined) return { doing: capText(error_message, LONGEST) };
  const last = state === "working" && session_id !== undefined ? lastCall(session_id) : undefined;
  if (last !== undefined) return { doing: `${last.tool} ${last.summary}`.trim(), is_call: true };
  return task === undefined ? {} : { doing: capText(task, LONGEST) };
}
