import type { AnsweredAt, DecodedEvent } from "../adapters/adapter.ts";
import { sha256 } from "../config/inputs/digest.ts";
import { reportedFrom } from "../monitor/report/agent-process.ts";
import { type Ask, askerOf, type GivenAnswer, newAskKey, waitAtPrompt } from "../monitor/report/ask.ts";
import { awayNow } from "../monitor/report/away.ts";
import { agentOf } from "../monitor/report/detect.ts";
import { NO_LONGER_ASKED, NOBODY } from "../monitor/report/endings.ts";
import type { Hold } from "../monitor/report/prompt.ts";
import { newEventId, notifyMonitor } from "../monitor/report/spool.ts";
import type { EventType, SaidFields } from "../shared/monitor/events.ts";
import { HANDED_OVER, type HookCall } from "./call.ts";

/** How long an event has waited for a human: its hooks may have asked one before the agent does. */
export interface AskedTime {
  milliseconds: number;
  /** How many prompts it has shown. */
  prompts: number;
}

/** Where a prompt is shown, and what it has waited for. */
export interface PromptSite {
  readonly event: DecodedEvent;
  readonly call: HookCall;
  readonly asked: AskedTime;
  readonly ask: Ask;
}

export interface PromptHold extends Hold {
  readonly dialog: AnsweredAt["dialog"];
}

/** Nobody reads and answers a prompt in less time. */
const LEAST_SECONDS = 1;

/**
 * What is left of the time that a human has for all that one event asks; `undefined` when that is too little to ask, so
 * that no default counts as the answer to what nobody could see.
 */
export function restOf<Given extends Hold>(
  hold: Given | undefined,
  { milliseconds }: AskedTime,
): Given | undefined {
  if (hold === undefined || milliseconds === 0) return hold;
  const seconds = hold.seconds - milliseconds / 1000;
  return seconds < LEAST_SECONDS ? undefined : { ...hold, seconds };
}

/** Notifies the monitor of a prompt, and waits for its answer if the event is held. */
export async function heldAnswer(
  prompt: SaidFields,
  hold: PromptHold | undefined,
  { event, call, asked, ask }: PromptSite,
): Promise<GivenAnswer | undefined> {
  const { environment, signal } = call;
  const { agent_id: subagent } = event;
  const agent = agentOf(event, environment);
  const id = promptId(call, asked, prompt);
  // Whoever decides this call again may have the answer, too.
  const key = call.id ?? newAskKey();
  const tell = (type: EventType, fields: SaidFields & { readonly id?: string }) =>
    notifyMonitor({ type, ...fields }, { agent, payload: event, environment });
  const most = (): number =>
    hold === undefined ? 0 : 1000 * (isShort(hold, environment) ? hold.hiddenSeconds : hold.seconds);
  const began = performance.now();
  const waitsUntil = (milliseconds: number): string =>
    new Date(Date.now() + milliseconds - (performance.now() - began)).toISOString();
  let given = most();
  const record = tell("agent:prompt", {
    id,
    ...prompt,
    host: event.host,
    ...reportedFrom(call.parent),
    ...(typeof subagent === "string" ? { subagent } : {}),
    ...(hold && {
      waits_until: waitsUntil(given),
      ...(hold.dialog === "hidden" ? { hidden: true } : {}),
      pid: call.pid,
      asker: askerOf(key),
    }),
  });
  if (hold === undefined || record === undefined) return undefined;
  const milliseconds = (): number => {
    const now = most();
    if (now !== given) tell("agent:waits", { prompt: id, waits_until: waitsUntil(now) });
    given = now;
    return now;
  };
  const waited = await waitAtPrompt({ id, key, milliseconds }, ask, signal);
  asked.milliseconds += performance.now() - began;
  if ("given" in waited) {
    // The monitor may end before it knows that its reply has come.
    tell("agent:answer", { prompt: id, ...waited.given, given_at: new Date().toISOString() });
    return { ...waited.given, asked_ms: Math.round(performance.now() - began) };
  }
  const { end } = waited;
  switch (end) {
    case "closed":
      return undefined;
    case "aborted":
      if (signal.reason === HANDED_OVER) return undefined;
      tell("agent:interrupted", { prompt: id, ...NO_LONGER_ASKED });
      return undefined;
    case "time": {
      const { fallback: answer } = hold;
      // The agent's own dialog comes now.
      if (answer === undefined || given < hold.seconds * 1000) {
        tell("agent:wait_over", { prompt: id, ...NOBODY });
        return undefined;
      }
      tell("agent:answer", { prompt: id, answer, ...NOBODY });
      return { answer, ...NOBODY };
    }
    default:
      return end satisfies never;
  }
}

/** True when the user would wait for a dialog that they can't see. */
function isShort({ dialog }: PromptHold, environment: NodeJS.ProcessEnv): boolean {
  return dialog === "hidden" && awayNow(environment) === undefined;
}

const ID_LENGTH = 12;

/**
 * A call that is decided again because the daemon ended shows the same prompt, so one answer is enough. Another call under the same
 * id shows another one: the answer to the first does not reach it.
 */
function promptId({ id }: HookCall, asked: AskedTime, { call_key, question }: SaidFields) {
  asked.prompts += 1;
  if (id === undefined) return newEventId();
  const digest = sha256(JSON.stringify([id, asked.prompts, call_key ?? question]));
  return BigInt(`0x${digest}`).toString(36).slice(0, ID_LENGTH);
}
