import { isRecord } from "../../core/base/json.ts";
import { capText } from "../../core/base/text.ts";
import type { EventType, SaidFields } from "../../shared/monitor/events.ts";
import type { MonitorSettings } from "../../shared/monitor/settings.ts";
import { callKey } from "./prompt.ts";

/** More of a task's description than anybody reads in a list. */
const MOST_TASK = 200;

/** What one event of an agent tells the monitor. */
type Detected = SaidFields & { readonly type: EventType };

type Fields = Readonly<Record<string, unknown>>;

/**
 * The events of an agent that change its state, and what the monitor is sent. Prompts are found by prompt.ts.
 *
 * @param keptGoing true when a hook keeps the agent going at this event.
 */
export const DETECTED: Readonly<Record<string, (event: Fields, keptGoing: boolean) => Detected>> = {
  // A compaction is a new beginning for the model alone.
  SessionStart: ({ source, transcript_path }) => ({
    type: source === "compact" ? "agent:compacted" : "agent:start",
    transcript_path,
  }),
  // What nobody typed is no task, and no progress by itself.
  UserPromptSubmit: ({ prompt }) => ({
    type: "agent:turn",
    ...(isAutomatic(prompt) ? { woken_by: "notification" } : { prompt }),
    new_turn: true,
  }),
  // The call has its result: whatever it asked was answered.
  PostToolUse: (event) => ({
    type: "agent:went_on",
    call_key: callKey(event),
    result: "ran",
    answers: isRecord(event.tool_response) ? event.tool_response.answers : undefined,
  }),
  Stop: ({ background_tasks }, keptGoing) => {
    if (keptGoing) return { type: "agent:turn", kept_going: true };
    const waits_for = runningTasks(background_tasks);
    return waits_for === undefined ? { type: "agent:stopped" } : { type: "agent:delegated", waits_for };
  },
  Interrupt: () => ({ type: "agent:interrupted" }),
  Error: ({ error_type, error_message }) => ({ type: "agent:error", error_type, error_message }),
  SessionEnd: () => ({ type: "agent:exit" }),
};

/** What a turn has left running, which continues the agent when it has ended: Claude Code names its subagents and commands. */
function runningTasks(tasks: unknown): string | undefined {
  const running = (Array.isArray(tasks) ? tasks : []).filter(
    (task) => isRecord(task) && task.status === "running",
  );
  const [first] = running;
  if (!isRecord(first)) return undefined;
  const { description, command, type } = first;
  const what = [description, command, type].find((text) => typeof text === "string" && text !== "");
  const more = running.length > 1 ? ` and ${running.length - 1} more` : "";
  return `${String(type)}: ${capText(String(what), MOST_TASK)}${more}`;
}

/** True for a prompt of Claude Code's own: a background task has ended, or a hook in the background woke the session. */
function isAutomatic(prompt: unknown): boolean {
  return typeof prompt === "string" && prompt.startsWith("<task-notification>");
}

/** True when the monitor is told what an agent does: unless the configuration says otherwise, or `tenterhook run` started it. */
export function isWatched(
  { watch }: Pick<MonitorSettings, "watch">,
  { TENTERHOOK_AGENT_ID }: NodeJS.ProcessEnv,
): boolean {
  return TENTERHOOK_AGENT_ID !== undefined || watch !== false;
}

/** True when the monitor is to do more than to know of agents. */
export function hasTriggers({ watch: _, ...triggers }: MonitorSettings): boolean {
  return Object.keys(triggers).length > 0;
}

/** The agent that an event belongs to: as it was started, else the subagent, else the session. */
export function agentOf(
  { agent_id, session_id }: { readonly agent_id?: unknown; readonly session_id: string },
  { TENTERHOOK_AGENT_ID }: NodeJS.ProcessEnv,
): string {
  return TENTERHOOK_AGENT_ID ?? (typeof agent_id === "string" ? agent_id : session_id);
}
