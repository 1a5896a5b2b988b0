import {
  type Adapter,
  type AnsweredAt,
  ASKED_KINDS,
  type DecodedEvent,
  lastText,
} from "../adapters/adapter.ts";
import type { EventConfig } from "../config/cache/event-config.ts";
import { isRecord } from "../core/base/json.ts";
import { yesOrNo } from "../core/base/yes-or-no.ts";
import { choiceQuestion, chosenOption } from "../core/contracts/questions.ts";
import type { Decision } from "../core/decide/decision.ts";
import type { Choose } from "../core/decide/fired-event.ts";
import type { Happened } from "../journal/record.ts";
import type { Ask, GivenAnswer } from "../monitor/report/ask.ts";
import { NOBODY } from "../monitor/report/endings.ts";
import { callKey, editableInput, type Hold, holdOf, type Prompt } from "../monitor/report/prompt.ts";
import {
  answersTo,
  byWhom,
  type PromptAnswer,
  personOf,
  promptAnswer,
  unaskedText,
} from "../monitor/report/prompt-answer.ts";
import type { HookCall } from "./call.ts";
import { type AskedTime, heldAnswer, type PromptHold, type PromptSite, restOf } from "./held-prompt.ts";
import { storePending } from "./pending-context.ts";

/** A prompt of an agent, and what was decided about the event that shows it. */
export interface PromptInput {
  readonly adapter: Adapter;
  readonly event: DecodedEvent;
  readonly config: EventConfig;
  readonly call: HookCall;
  readonly prompt: Prompt;
  readonly decision: Decision;
  readonly asked: AskedTime;
  readonly ask: Ask;
  /** Asks the hooks on AgentPrompt. */
  readonly askHooks: () => Promise<Decision | undefined>;
  /** Asks the hooks on an event of this call what they say to another input. */
  readonly check: (event: "PreToolUse" | "PermissionRequest", input: Input) => Promise<Decision | undefined>;
}

type Input = Readonly<Record<string, unknown>>;

/**
 * An agent is about to wait for a human. Its hooks may answer instead; otherwise the monitor is notified, and the event
 * waits for an answer when the configuration says so. Returns the final decision, and who made it.
 */
export async function answerPrompt(input: PromptInput): Promise<Answered> {
  const { prompt, event, decision } = input;
  if (isSettled(input)) return { decision };
  const at = answeredAt(input);
  const answerable = at?.event === event.hook_event_name;
  const isNotified = event.hook_event_name === "Notification";
  // The event at which it can be answered shows it; a notification may come when it was answered.
  if (at !== undefined && !answerable) return { decision };
  const byHooks = answerable || isNotified ? await input.askHooks() : undefined;
  const user_messages = [...decision.user_messages, ...(byHooks?.user_messages ?? [])];
  const merged = { ...decision, user_messages };
  // A hook that wants a human to be asked does not accept another hook's answer.
  if (byHooks?.answer !== undefined && decision.action !== "ask") {
    const { answer } = byHooks;
    const hook = byHooks.runs.find(({ outcome }) => outcome?.answer !== undefined)?.name;
    if (!answerable) return { decision: { ...merged, answer } };
    return withAnswer(merged, input, { answer, by: `hook ${hook ?? ""}`.trim() });
  }
  const hold = answerable ? holdFor(input, at) : undefined;
  const shown = {
    ...prompt,
    ...contextOf(input),
    call_key: callKey(event),
    ...(typeof event.tool_use_id === "string" ? { tool_use_id: event.tool_use_id } : {}),
    ...(at === undefined && prompt.prompt_type !== "idle" ? { only_at_terminal: true } : {}),
    ...(hold === undefined ? {} : inputToEdit(input)),
  };
  const given = await heldAnswer(shown, hold, input);
  return given === undefined ? { decision: merged } : checked(withAnswer(merged, input, given), input);
}

/** A decision, and what somebody answered in place of the agent's user. */
interface Answered {
  readonly decision: Decision;
  readonly happened?: Happened;
}

/** Offers the options of a hook in the monitor. */
export function chooseInMonitor(hold: Hold, site: PromptSite): Choose {
  return async (choice) => {
    const rest = restOf(hold, site.asked);
    if (rest === undefined) return undefined;
    const question = choiceQuestion(choice);
    // The agent asks for a yes or no afterwards.
    const held = { ...rest, dialog: "hidden" } as const;
    const reply = await heldAnswer({ prompt_type: "question", question: [question] }, held, site);
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

/** Where the prompt can be answered from outside; `undefined` when it can't. */
function answeredAt({ adapter: { asks }, prompt: { prompt_type } }: PromptInput): AnsweredAt | undefined {
  const kind = ASKED_KINDS.find((one) => one === prompt_type);
  const at = kind && asks[kind];
  return at === "terminal" ? undefined : at;
}

/** How long the event waits for an answer; `undefined` when the configuration lets it only be shown. */
function holdFor(input: PromptInput, { dialog, documented }: AnsweredAt): PromptHold | undefined {
  const { config, prompt, asked } = input;
  const hold = restOf(holdOf(config.settings.monitor, prompt.prompt_type), asked);
  return hold && { ...hold, dialog: documented === true ? "hidden" : dialog };
}

/** The input of a call, where the agent takes another one with the permission. */
function inputToEdit({ adapter, prompt, event, call, decision, config }: PromptInput) {
  if (prompt.prompt_type !== "permission" || !isRecord(event.tool_input)) return {};
  const { tool_input } = event;
  const edited = { ...decision, action: "allow", input: tool_input } as const;
  const { losses } = adapter.encode(edited, event, config.settings.degrade, call.environment);
  return losses.length > 0 ? {} : editableInput(tool_input, call.environment);
}

/** What a human has let run instead is judged like any call: a refusal counts, a rewrite too. */
async function checked(answered: Answered, { check, prompt }: PromptInput): Promise<Answered> {
  const { action, input } = answered.decision;
  if (prompt.prompt_type !== "permission" || action !== "allow" || !isRecord(input)) return answered;
  let judged: Input = input;
  for (const event of ["PreToolUse", "PermissionRequest"] as const) {
    const again = await check(event, judged);
    if (again?.action === "deny" || again?.abort !== undefined) {
      const reason = `The input was changed by hand, and a hook refuses it: ${again.reason ?? again.abort?.reason ?? ""}`;
      const { input: _, ...rest } = answered.decision;
      return { decision: { ...rest, action: "deny", reason }, happened: { action: "deny", reason } };
    }
    if (isRecord(again?.input)) judged = again.input;
  }
  return { ...answered, decision: { ...answered.decision, input: judged } };
}

function withAnswer(
  decision: Decision,
  { adapter, prompt, event, call }: PromptInput,
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
    const unasked = unaskedText(prompt.prompt_type, judged, given);
    // The agent tells its model that its user has allowed it.
    if (unasked !== undefined)
      storePending(
        event.session_id,
        { hook: "monitor", context: [unasked], user_messages: [] },
        call.environment,
      );
    return { decision: { ...decision, ...judged, ...same }, happened: happenedBy(judged, prompt, given) };
  }
  const what = prompt.prompt_type.replace("_approval", "");
  const text = `Ignored the answer ${JSON.stringify(answer)}: it does not match this ${what}.`;
  const message = { text, level: "warning", hook: "tenterhook" } as const;
  return { decision: { ...decision, user_messages: [...decision.user_messages, message] } };
}

/** What came of a call by an answer, for the record: that of a person, of a hook, or the default. */
function happenedBy({ action, reason }: PromptAnswer, { prompt_type }: Prompt, given: GivenAnswer): Happened {
  const text = reason ?? `${action === "allow" ? "Allowed" : "Refused"}${byWhom(given)}.`;
  // A hook has no channel, and nobody answers after the time is over.
  if (given.channel === undefined || given.channel === NOBODY.channel) return { action, reason: text };
  const verdict = prompt_type === "question" ? undefined : yesOrNo(given.answer);
  const words = typeof verdict === "string" ? { words: verdict } : {};
  const person = { by: personOf(given), asked_ms: given.asked_ms, ...words };
  return { action, reason: text, person };
}

function contextOf({ adapter, event }: PromptInput): { readonly context?: string } {
  const context = lastText(adapter, event.native);
  return { context };
}
