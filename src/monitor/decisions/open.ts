import { isRecord } from "../../core/base/json.ts";
import { capText } from "../../core/base/text.ts";
import type { DecisionSource, HumanDecision, MonitorEvent } from "../../core/contracts/monitor.ts";
import { promptType } from "../state/transitions.ts";
import { SOURCE_OF_PROMPT, SOURCES } from "./sources.ts";

/** What an agent said last may be long; a screen shows this much of it. */
const MOST_CONTEXT = 4000;

/** The decision that an event asks a human for; `undefined` for most events. */
export function openedBy(event: MonitorEvent): HumanDecision | undefined {
  const asked = askedBy(event);
  if (asked === undefined) return undefined;
  const { source, context, questions, escalated } = asked;
  const { id, agent_id, session_id, cwd, time, waits_until } = event;
  return {
    id,
    agent_id,
    ...(session_id === undefined ? {} : { session_id }),
    ...(cwd === undefined ? {} : { cwd }),
    source,
    context: capText(context, MOST_CONTEXT),
    options: SOURCES[source].options,
    ...(questions === undefined ? {} : { questions }),
    ...(escalated === undefined ? {} : { escalated }),
    state: "open",
    created_at: time,
    ...(typeof waits_until === "string" ? { prompt: id, waits_until } : {}),
    ...(event.suspended === true ? { suspended: true } : {}),
  };
}

interface Asked {
  readonly source: DecisionSource;
  readonly context: string;
  readonly questions?: readonly unknown[];
  readonly escalated?: true;
}

function askedBy(event: MonitorEvent): Asked | undefined {
  if (event.type === "agent:prompt") return askedByPrompt(event);
  const { type, signal, message } = event;
  return type === "agent:signal" && signal === "escalate"
    ? { source: "question", context: textOf(message), escalated: true }
    : undefined;
}

function askedByPrompt({ prompt_type, question, context, message }: MonitorEvent): Asked | undefined {
  const type = promptType(prompt_type);
  const source = SOURCE_OF_PROMPT[type];
  if (source === undefined) return undefined;
  const questions = type === "question" ? [question].flat().filter(isRecord) : [];
  const texts = [context, message, ...(questions.length > 0 ? [] : [question])].map(textOf);
  return {
    source,
    context: texts.filter((text) => text !== "").join("\n\n"),
    ...(questions.length > 0 ? { questions } : {}),
  };
}

/** Text as it is; a call as `Bash: {"command": …}`. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  if (isRecord(value) && typeof value.tool_name === "string")
    return `${value.tool_name}: ${JSON.stringify(value.tool_input)}`;
  return JSON.stringify(value);
}
