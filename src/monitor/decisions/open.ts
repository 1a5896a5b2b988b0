import { isRecord, withoutUndefined } from "../../core/base/json.ts";
import { capText } from "../../core/base/text.ts";
import type { AgentStatus, HumanRequest, MonitorEvent, WaitingCall } from "../../shared/monitor/monitor.ts";
import { ACTION, ACTION_ENDED, checkOwner, sourceOf, triggerIn } from "../report/actions.ts";
import { optionsFor, SOURCE_OF_PROMPT } from "../report/sources.ts";
import { isHeldPrompt } from "../state/held.ts";
import { promptType } from "../state/transitions.ts";
import { callText } from "./call-text.ts";

/** An agent's last text may be long; a screen shows this much of it. */
const MOST_CONTEXT = 4000;

/** The decision that an event asks a human for; `undefined` for most events. */
export function openedBy(event: MonitorEvent, agent: AgentStatus): HumanRequest | undefined {
  const asked = askedBy(event);
  if (asked === undefined) return undefined;
  const { host, cwd, machine } = agent;
  const { source, context, ...more } = asked;
  const { id, agent_id, session_id, time, waits_until } = event;
  return {
    id,
    agent_id,
    ...withoutUndefined({ machine, host, session_id, cwd }),
    source,
    context: capText(context, MOST_CONTEXT),
    options: optionsFor(source, agent),
    ...more,
    state: "open",
    created_at: time,
    ...(isHeldPrompt(event) ? { prompt: id } : {}),
    ...(isHeldPrompt(event) && typeof waits_until === "string" ? { waits_until } : {}),
    ...(event.hidden === true ? { hidden: true } : {}),
    ...(event.only_at_terminal === true ? { only_at_terminal: true } : {}),
    ...(event.suspended === true ? { suspended: true } : {}),
    ...(isCall(event.call) ? { call: event.call } : {}),
    ...(typeof event.call_key === "string" ? { call_digest: event.call_key } : {}),
    ...(typeof event.tool_use_id === "string" ? { tool_use_id: event.tool_use_id } : {}),
    ...inputToEdit(event),
  };
}

/** The input of the call, where the answer may change it. */
function inputToEdit({ editable, question }: MonitorEvent): Pick<HumanRequest, "tool_input"> {
  const tool_input = editable === true && isRecord(question) ? question.tool_input : undefined;
  return isRecord(tool_input) ? { tool_input } : {};
}

function isCall(value: unknown): value is WaitingCall {
  if (!isRecord(value)) return false;
  const { tool_use_id, ask = 1, subagent_id = "" } = value;
  return typeof tool_use_id === "string" && typeof ask === "number" && typeof subagent_id === "string";
}

type Asked = Pick<HumanRequest, "source" | "context" | "questions" | "escalated" | "check">;

function askedBy(event: MonitorEvent): Asked | undefined {
  if (event.type === "agent:prompt") return askedByPrompt(event);
  if (event.type === ACTION || event.type === ACTION_ENDED) return askedByAction(event);
  const { type, signal, message } = event;
  return type === "agent:signal" && signal === "escalate"
    ? { source: "question", context: shownText(message), escalated: true }
    : undefined;
}

/** A trigger that escalates, or what the monitor tried in vain. */
function askedByAction(event: MonitorEvent): Asked | undefined {
  const isAsked =
    event.type === ACTION ? event.action === "escalate" : event.ok === false && event.moot !== true;
  // The decision about a prompt comes with the prompt.
  if (!isAsked || triggerIn(event) === "on_prompt") return undefined;
  const { context, why, run, timeout, exit_code, stderr } = event;
  const command =
    typeof run === "string"
      ? [`$ ${run}`, exit_code === undefined ? "" : `exit code ${String(exit_code)}`, shownText(stderr)]
      : [];
  return {
    source: sourceOf(event),
    context: [why, ...command, context]
      .map(shownText)
      .filter((text) => text !== "")
      .join("\n\n"),
    escalated: true,
    ...(typeof run === "string" && typeof timeout === "number"
      ? { check: { run, timeout, ...checkOwner(event) } }
      : {}),
  };
}

function askedByPrompt({ prompt_type, question, context, message }: MonitorEvent): Asked | undefined {
  const type = promptType(prompt_type);
  const source = SOURCE_OF_PROMPT[type];
  if (source === undefined) return undefined;
  const questions = type === "question" ? [question].flat().filter(isRecord) : [];
  const texts = [context, message, ...(questions.length > 0 ? [] : [question])].map(shownText);
  return {
    source,
    context: texts.filter((text) => text !== "").join("\n\n"),
    ...(questions.length > 0 ? { questions } : {}),
  };
}

/** Text as it is, and a call of a tool as people read it. */
function shownText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  if (isRecord(value) && typeof value.tool_name === "string")
    return callText(value.tool_name, value.tool_input, value.preview);
  return JSON.stringify(value);
}
