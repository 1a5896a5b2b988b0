import { type Adapter, type DecodedEvent, lastText } from "../adapters/adapter.ts";
import type { EventConfig } from "../config/cache/event-config.ts";
import { isRecord } from "../core/base/json.ts";
import { choiceQuestion, chosenOption } from "../core/contracts/questions.ts";
import type { Decision } from "../core/decide/decision.ts";
import type { Choose } from "../core/decide/fired-event.ts";
import type { Happened } from "../journal/record.ts";
import { reportedFrom } from "../monitor/report/agent-process.ts";
import { closePrompt, type GivenAnswer, waitForGivenAnswer } from "../monitor/report/answers.ts";
import { agentOf } from "../monitor/report/detect.ts";
import { NOBODY } from "../monitor/report/nobody.ts";
import { type Hold, holdOf, type Prompt } from "../monitor/report/prompt.ts";
import { answersTo, byWhom, promptAnswer } from "../monitor/report/prompt-answer.ts";
import { notifyMonitor } from "../monitor/report/spool.ts";
import type { HookCall } from "./call.ts";

/** How long an event has waited for a human: its hooks may have asked one before the agent does. */
export interface AskedTime {
  milliseconds: number;
}

/** A prompt of an agent, and what was decided about the event that shows it. */
export interface PromptInput {
  readonly adapter: Adapter;
  readonly event: DecodedEvent;
  readonly config: EventConfig;
  readonly call: HookCall;
  readonly prompt: Prompt;
  readonly decision: Decision;
  readonly asked: AskedTime;
  /** Asks the hooks on AgentPrompt. */
  readonly askHooks: () => Promise<Decision | undefined>;
}

/**
 * An agent is about to wait for a human. Its hooks may answer instead; otherwise the monitor is notified, and the event
 * waits for an answer when the configuration says so. Returns the final decision, and who made it.
 */
export async function answerPrompt(input: PromptInput): Promise<Answered> {
  const { prompt, event, decision, config, asked } = input;
  if (isSettled(input)) return { decision };
  const answerable = isAnswerable(input);
  const asks = answerable || event.hook_event_name === "Notification";
  const byHooks = asks ? await input.askHooks() : undefined;
  const user_messages = [...decision.user_messages, ...(byHooks?.user_messages ?? [])];
  const merged = { ...decision, user_messages };
  // A hook that wants a human to be asked does not accept another hook's answer.
  if (byHooks?.answer !== undefined && decision.action !== "ask") {
    const { answer } = byHooks;
    const hook = byHooks.runs.find(({ outcome }) => outcome?.answer !== undefined)?.name;
    if (!answerable) return { decision: { ...merged, answer } };
    return withAnswer(merged, input, { answer, by: `hook ${hook ?? ""}`.trim() });
  }
  const hold = answerable ? restOf(holdOf(config.settings.monitor, prompt.prompt_type), asked) : undefined;
  const given = await heldAnswer({ ...prompt, ...contextOf(input) }, hold, input);
  return given === undefined ? { decision: merged } : withAnswer(merged, input, given);
}

/** A decision, and what somebody answered in place of the agent's user. */
interface Answered {
  readonly decision: Decision;
  readonly happened?: Happened;
}

/** Nobody reads and answers a prompt in less time. */
const LEAST_SECONDS = 1;

/**
 * What is left of the time that a human has for all that one event asks; `undefined` when that is too little to ask, so
 * that no default counts as the answer to what nobody could see.
 */
function restOf(hold: Hold | undefined, { milliseconds }: AskedTime): Hold | undefined {
  if (hold === undefined || milliseconds === 0) return hold;
  const seconds = hold.seconds - milliseconds / 1000;
  return seconds < LEAST_SECONDS ? undefined : { ...hold, seconds };
}

type Held = Pick<PromptInput, "event" | "call" | "asked">;

/** Notifies the monitor of a prompt, and waits for its answer if the event is held. */
async function heldAnswer(
  prompt: object,
  hold: Hold | undefined,
  { event, call, asked }: Held,
): Promise<GivenAnswer | undefined> {
  const { environment, signal } = call;
  const record = notifyMonitor(
    {
      type: "agent:prompt",
      ...prompt,
      host: event.host,
      ...reportedFrom(call.parent),
      ...(typeof event.agent_id === "string" ? { subagent: event.agent_id } : {}),
      ...(hold && {
        waits_until: new Date(Date.now() + hold.seconds * 1000).toISOString(),
        pid: call.pid,
      }),
    },
    { agent: agentOf(event, environment), payload: event, environment },
  );
  if (hold === undefined || record === undefined) return undefined;
  const began = performance.now();
  const given =
    (await waitForGivenAnswer(record.id, hold.seconds * 1000, environment, signal)) ??
    (await lastAnswer(record.id, call));
  asked.milliseconds += performance.now() - began;
  if (given === undefined && signal.aborted)
    notifyMonitor(
      {
        type: "agent:answer",
        prompt: record.id,
        by: "The agent ended its hook: somebody was at its terminal.",
        state_source: "inferred",
      },
      { agent: record.agent_id, payload: event, environment },
    );
  if (given !== undefined || signal.aborted || hold.fallback === undefined) return given;
  notifyMonitor(
    { type: "agent:answer", prompt: record.id, answer: hold.fallback, ...NOBODY },
    { agent: record.agent_id, payload: event, environment },
  );
  return { answer: hold.fallback, ...NOBODY };
}

/** The answer of a monitor that was faster than the end of the time. */
async function lastAnswer(id: string, { environment, signal }: HookCall): Promise<GivenAnswer | undefined> {
  const answer = await closePrompt(id, environment, signal);
  return answer === undefined ? undefined : { answer };
}

/** Offers the options of a hook in the monitor. */
export function chooseInMonitor(hold: Hold, held: Held): Choose {
  return async (choice) => {
    const rest = restOf(hold, held.asked);
    if (rest === undefined) return undefined;
    const question = choiceQuestion(choice);
    const reply = await heldAnswer({ prompt_type: "question", question: [question] }, rest, held);
    const answer = answersTo([question], reply?.answer)?.[question.question];
    return answer === undefined ? undefined : chosenOption(choice.options, answer);
  };
}

/** True when nobody will be asked: hooks have refused the call, allowed it, or answered. */
function isSettled({ prompt, decision, event }: PromptInput): boolean {
  const { action, abort, input } = decision;
  if (action === "deny" || abort !== undefined) return true;
  if (event.hook_event_name === "Notification") return false;
  if (prompt.prompt_type === "question") return isRecord(input) && isRecord(input.answers);
  return action === "allow";
}

/** Questions and plans are answered before the tool runs, permissions where they are asked for. */
function isAnswerable({ prompt, event }: PromptInput): boolean {
  const at = prompt.prompt_type === "permission" ? "PermissionRequest" : "PreToolUse";
  return event.hook_event_name === at;
}

function withAnswer(
  decision: Decision,
  { adapter, prompt, event }: PromptInput,
  given: GivenAnswer,
): Answered {
  const { answer } = given;
  const { tool_input } = event;
  const written = decision.input ?? tool_input;
  const input = isRecord(written) ? written : {};
  const judged = promptAnswer(prompt.prompt_type, input, answer, given);
  if (judged !== undefined) {
    const isApproved = prompt.prompt_type === "plan_approval" && judged.action === "allow";
    const same = isApproved && adapter.approvesWithInput === true ? { input } : {};
    const { action, reason } = judged;
    const happened = reason ?? `${action === "allow" ? "Allowed" : "Refused"}${byWhom(given)}.`;
    return { decision: { ...decision, ...judged, ...same }, happened: { action, reason: happened } };
  }
  const what = prompt.prompt_type.replace("_approval", "");
  const text = `Ignored the answer ${JSON.stringify(answer)}: it does not match this ${what}.`;
  const message = { text, level: "warning", hook: "tenterhook" } as const;
  return { decision: { ...decision, user_messages: [...decision.user_messages, message] } };
}

function contextOf({ adapter, event }: PromptInput): { readonly context?: string } {
  const context = lastText(adapter, event.native);
  return context === undefined ? {} : { context };
}
