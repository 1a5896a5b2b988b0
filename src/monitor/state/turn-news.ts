import {
  type CallOutcome,
  lastSign,
  outcomeIn,
  type TurnFormat,
  type TurnSign,
} from "../../adapters/codec/turn-sign.ts";
import { TURN_SIGNS } from "../../adapters/turn-signs.ts";
import { isRecord } from "../../core/base/json.ts";
import type { AgentState, AgentStatus } from "../../shared/monitor/monitor.ts";
import { AT_TERMINAL } from "../report/endings.ts";

/** What the end of a transcript adds to what hooks have reported: an event, and its fields. */
interface TurnNews {
  readonly type:
    | "agent:interrupted"
    | "agent:stopped"
    | "agent:error"
    | "agent:answer"
    | "agent:went_on"
    | "agent:result";
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Agents whose transcript may know more than their hooks have said: some end a turn that failed like any other. */
const MAY_HAVE_ENDED: readonly AgentState[] = ["starting", "working", "prompting", "idle"];

/** A hook that says that the turn has ended may come so long after the error that ended it. */
const LATE_HOOK_MILLISECONDS = 10_000;

/** What the end of an agent's transcript says that its hooks have not. Never throws. */
export function newsOf(agent: AgentStatus): TurnNews | undefined {
  const { host = "", transcript_path } = agent;
  const format = TURN_SIGNS.get(host);
  if (format === undefined || transcript_path === undefined || !mayHaveEnded(agent)) return undefined;
  const result = resultIn(agent, transcript_path, format);
  if (result !== undefined) return result;
  const sign = lastSign(transcript_path, format);
  const news = sign && newsIn(agent, sign);
  return news ?? answerIn(agent, transcript_path, format);
}

/** True when it is worth reading the end of an agent's transcript. */
function mayHaveEnded({ state, suspended }: AgentStatus): boolean {
  return MAY_HAVE_ENDED.includes(state) && suspended !== true;
}

/** What a record means for an agent; `undefined` when it is older than what is known, or says nothing new. Pure. */
function newsIn(agent: AgentStatus, sign: TurnSign & { readonly at: number }): TurnNews | undefined {
  const { confirmed_at = agent.since } = agent;
  const isIdle = agent.state === "idle";
  const known = Date.parse(confirmed_at) - (isIdle ? LATE_HOOK_MILLISECONDS : 0);
  if (sign.at <= known || (isIdle && sign.turn !== "failed")) return undefined;
  const fields = { state_source: "transcript", time: new Date(sign.at).toISOString() };
  switch (sign.turn) {
    case "works":
      return undefined;
    case "ended":
      return { type: "agent:stopped", fields };
    case "interrupted":
      return { type: "agent:interrupted", fields };
    case "failed": {
      const { status, type, message } = sign.error;
      const error = { error_status: status, error_type: type, error_message: message };
      return { type: "agent:error", fields: { ...fields, ...error } };
    }
    default:
      return sign satisfies never;
  }
}

/** The answer that was given at the agent's terminal: a call that a human was asked about has a result. */
function answerIn(
  { state, question, since, held = [] }: AgentStatus,
  transcript: string,
  format: TurnFormat,
): TurnNews | undefined {
  if (state !== "prompting") return undefined;
  const isOver = (asked: unknown, time: string): boolean =>
    outcomeOf(asked, time, transcript, format) !== undefined;
  const fields = { state_source: "transcript" };
  if (held.length === 0) return isOver(question, since) ? { type: "agent:went_on", fields } : undefined;
  const answered = held.find((one) => isOver(one.question, one.since));
  return answered && { type: "agent:answer", fields: { ...fields, prompt: answered.id, ...AT_TERMINAL } };
}

/** The result of a call whose question has an answer, which shows whether the agent has used that. */
function resultIn({ given = [] }: AgentStatus, transcript: string, format: TurnFormat): TurnNews | undefined {
  for (const { question, since, call_key } of given) {
    const result = call_key && outcomeOf(question, since, transcript, format);
    if (result !== undefined)
      return { type: "agent:result", fields: { state_source: "transcript", call_key, result } };
  }
  return undefined;
}

function outcomeOf(
  asked: unknown,
  time: string,
  transcript: string,
  format: TurnFormat,
): CallOutcome | undefined {
  if (!isRecord(asked) || typeof asked.tool_name !== "string") return undefined;
  const { tool_name, tool_input } = asked;
  return outcomeIn(transcript, format, { tool_name, tool_input, since: Date.parse(time) });
}
