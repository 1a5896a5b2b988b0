import { isRecord } from "../../core/base/json.ts";
import { capText } from "../../core/base/text.ts";
import { inWords } from "../../shared/call-text.ts";
import type { MonitorEvent } from "../../shared/monitor/events.ts";
import type { AgentStatus, HumanRequest } from "../../shared/monitor/monitor.ts";
import { ACTION, ACTION_ENDED, checkOwner, sourceOf } from "../report/actions.ts";
import { optionsFor, SOURCE_OF_PROMPT } from "../report/sources.ts";
import { isHeldPrompt } from "../state/held.ts";
import { callText } from "./call-text.ts";

/** An agent's last text may be long; a screen shows this much of it. */
const MOST_CONTEXT = 4000;

/** The decision that an event asks a human for; `undefined` for most events. */
export function openedBy(event: MonitorEvent, agent: AgentStatus): HumanRequest | undefined {
  const asked = askedBy(event);
  if (asked === undefined) return undefined;
  const { host, cwd, machine } = agent;
  const { source, context, ...more } = asked;
  const { id, agent_id, session_id, time, waits_until, hidden, only_at_terminal, suspended } = event;
  const { call, call_key: call_digest, tool_use_id } = event;
  return {
    id,
    agent_id,
    machine,
    host,
    session_id,
    cwd,
    source,
    context: capText(context, MOST_CONTEXT),
    options: optionsFor(source, agent),
    ...more,
    state: "open",
    created_at: time,
    ...(isHeldPrompt(event) ? { prompt: id, waits_until } : {}),
    hidden,
    only_at_terminal,
    suspended,
    call,
    call_digest,
    tool_use_id,
    ...inputToEdit(event),
  };
}

/** The input of the call, where the answer may change it. */
function inputToEdit({ editable, question }: MonitorEvent): Pick<HumanRequest, "tool_input"> {
  const tool_input = editable === true && isRecord(question) ? question.tool_input : undefined;
  return isRecord(tool_input) ? { tool_input } : {};
}

type Asked = Pick<HumanRequest, "source" | "context" | "questions" | "escalated" | "check">;

function askedBy(event: MonitorEvent): Asked | undefined {
  if (event.type === "agent:prompt") return askedByPrompt(event);
  if (event.type === ACTION || event.type === ACTION_ENDED) return askedByAction(event);
  const { type, signal, message } = event;
  return type === "agent:signal" && signal === "escalate"
    ? { source: "question", context: message ?? "", escalated: true }
    : undefined;
}

/** A trigger that escalates, or what the monitor tried in vain. */
function askedByAction(event: MonitorEvent): Asked | undefined {
  const isAsked =
    event.type === ACTION ? event.action === "escalate" : event.ok === false && event.moot !== true;
  // The decision about a prompt comes with the prompt.
  if (!isAsked || event.trigger === "on_prompt") return undefined;
  const { context, why, run, timeout, exit_code, stderr } = event;
  const command =
    run !== undefined ? [`$ ${run}`, exit_code === undefined ? "" : `exit code ${exit_code}`, stderr] : [];
  return {
    source: sourceOf(event),
    context: [why, ...command, context].filter(Boolean).join("\n\n"),
    escalated: true,
    ...(run !== undefined && timeout !== undefined ? { check: { run, timeout, ...checkOwner(event) } } : {}),
  };
}

function askedByPrompt({
  prompt_type: type = "other",
  question,
  context,
  message,
}: MonitorEvent): Asked | undefined {
  const source = SOURCE_OF_PROMPT[type];
  if (source === undefined) return undefined;
  const questions = type === "question" ? [question].flat().filter(isRecord) : [];
  const asked = questions.length > 0 ? "" : shownText(question);
  // What is to run comes first, then why somebody is asked.
  const texts = isCall(question) ? [asked, context, message] : [context, message, asked];
  return {
    source,
    context: texts.filter(Boolean).join("\n\n"),
    ...(questions.length > 0 ? { questions } : {}),
  };
}

/** Text as it is, and a call of a tool as people read it. */
function shownText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  return isCall(value) ? callText(value.tool_name, value.tool_input, value.preview) : inWords(value);
}

function isCall(value: unknown): value is Readonly<Record<string, unknown>> & { readonly tool_name: string } {
  return isRecord(value) && typeof value.tool_name === "string";
}
