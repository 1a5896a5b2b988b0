import type { Adapter, DecodedEvent } from "../../adapters/adapter.ts";
import { isRecord } from "../../core/base/json.ts";
import type { Decision } from "../../core/decide/decision.ts";
import { waitForAnswer } from "../../monitor/answers.ts";
import type { Hold, Prompt } from "../../monitor/prompt.ts";
import { promptAnswer } from "../../monitor/prompt-answer.ts";
import { notifyMonitor } from "../../monitor/spool.ts";

/** A prompt of an agent, and what was decided about the event that shows it. */
export interface Prompted {
  readonly adapter: Adapter;
  readonly prompt: Prompt;
  readonly event: DecodedEvent;
  readonly decision: Decision;
  /** Set when the event is held until a human has answered. */
  readonly hold: Hold | undefined;
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  /** Asks the hooks on AgentPrompt. */
  readonly askHooks: () => Promise<Decision | undefined>;
}

/**
 * An agent is about to wait for a human: its hooks may answer in the human's place; otherwise the monitor is told, and the
 * event is held for an answer when the configuration says so. Answers the decision that counts.
 */
export async function prompted(given: Prompted): Promise<Decision> {
  const { prompt, event, decision, hold, environment, signal } = given;
  if (isSettled(given)) return decision;
  const answerable = isAnswerable(given);
  const told = answerable || event.hook_event_name === "Notification" ? await given.askHooks() : undefined;
  const heard = { ...decision, user_messages: [...decision.user_messages, ...(told?.user_messages ?? [])] };
  // A hook that wants a human asked is not content with another hook's answer.
  if (told?.answer !== undefined && decision.action !== "ask")
    return answerable ? answered(heard, given, told.answer) : { ...heard, answer: told.answer };
  const holds = answerable ? hold : undefined;
  const record = notifyMonitor(
    {
      type: "agent:prompt",
      ...prompt,
      ...contextOf(given),
      host: event.host,
      ...(holds && { waits_until: new Date(Date.now() + holds.seconds * 1000).toISOString() }),
    },
    { agent: agentOf(event, environment), payload: event, environment },
  );
  if (holds === undefined || record === undefined) return heard;
  const answer = await waitForAnswer(record.id, holds.seconds * 1000, environment, signal);
  const said = answer ?? (signal.aborted ? undefined : holds.fallback);
  return said === undefined ? heard : answered(heard, given, said);
}

/** Nobody will be asked: hooks have refused the call, granted it, or answered. */
function isSettled({ prompt, decision, event }: Prompted): boolean {
  const { action, abort, input } = decision;
  if (action === "deny" || abort !== undefined) return true;
  if (event.hook_event_name === "Notification") return false;
  if (prompt.prompt_type === "question") return isRecord(input) && isRecord(input.answers);
  return action === "allow";
}

/** Questions and plans are answered before the tool runs, permissions where they are asked for. */
function isAnswerable({ prompt, event }: Prompted): boolean {
  const at = prompt.prompt_type === "permission" ? "PermissionRequest" : "PreToolUse";
  return event.hook_event_name === at;
}

function answered(decision: Decision, { prompt, event }: Prompted, answer: unknown): Decision {
  const input = decision.input ?? event.tool_input;
  const said = promptAnswer(prompt.prompt_type, isRecord(input) ? input : {}, answer);
  if (said !== undefined) return { ...decision, ...said };
  const what = prompt.prompt_type.replace("_approval", "");
  const text = `The answer ${JSON.stringify(answer)} is none to this ${what}, so that it was not given.`;
  const message = { text, level: "warning", hook: "tenterhook" } as const;
  return { ...decision, user_messages: [...decision.user_messages, message] };
}

function agentOf({ agent_id, session_id }: DecodedEvent, { TENTERHOOK_AGENT_ID }: NodeJS.ProcessEnv): string {
  return TENTERHOOK_AGENT_ID ?? (typeof agent_id === "string" ? agent_id : session_id);
}

function contextOf({ adapter, event }: Prompted): { readonly context?: string } {
  const context = adapter.lastText?.(event.native);
  return context === undefined ? {} : { context };
}
