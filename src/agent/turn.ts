import type { ContextItem, HookInput } from "../core/decision.ts";
import type { FireOptions } from "../core/fire-scope.ts";
import { type Aborted, watchSignal } from "./abortable.ts";
import { inject } from "./context.ts";
import { endingOf, mustGoOn, storeFailed, TurnEnded } from "./ended.ts";
import { decide, endedBy, fire, fireAnyway, show } from "./fire.ts";
import { generate } from "./generation.ts";
import type { Generated } from "./items.ts";
import { lastWords } from "./last-words.ts";
import { tellMemoryChanges, watchMemory } from "./memory-update.ts";
import type { AgentMessage, HookInputPart, TextPart } from "./messages.ts";
import { modelCalls } from "./model-call.ts";
import { endDeadlines } from "./model-deadline.ts";
import { hookInputText } from "./model-prompt.ts";
import { userMessage } from "./new-message.ts";
import { continueTurn } from "./resume/continue-turn.ts";
import { lastWord } from "./resume/last-word.ts";
import { settleUnfinished } from "./resume/settle.ts";
import { type AgentSession, emit, NO_CALLS, type Turn } from "./session.ts";
import { ShownAgent } from "./shown-agent.ts";
import { forgetWaiting, hasWaited } from "./status.ts";
import { append, record } from "./store.ts";
import { factsOf } from "./turn-hooks/facts.ts";
import { runTurnHook } from "./turn-hooks/run.ts";
import { noUsage } from "./usage.ts";
import { windUp } from "./wind-up.ts";

/** What starts a turn: the words of the user, a hook or another agent; or nothing, when one that was begun goes on. */
export type TurnInput =
  | { readonly type: "prompt"; readonly text: string }
  | { readonly type: "hook_input"; readonly input: HookInput }
  | {
      readonly type: "task";
      readonly text: string;
      readonly context: readonly ContextItem[];
      /** The id of the turn, by which the call that gave the task finds it again. */
      readonly turn_id: string;
    }
  | { readonly type: "continue"; readonly answers?: unknown };

/** Opens a turn of a run. Everything that happens in it ends when its controller is aborted, or the run's. */
export function newTurn(session: AgentSession, input: TurnInput, run: Aborted): Turn {
  const controller = new AbortController();
  const aborted = watchSignal(controller.signal);
  const { conversation, values, hook_limits: limits, options } = session;
  const isKept = input.type === "continue" || input === session.unheard?.input;
  const unheard = isKept ? session.unheard : undefined;
  const begun = input.type === "continue" && unheard === undefined ? session.unfinished : undefined;
  const from = begun === undefined ? conversation.length : conversation.startOf(begun.turn_id);
  const firing: FireOptions = {
    signal: controller.signal,
    aborted,
    late_signal: () => lastWords(session, turn).errors,
    values,
    limits,
    agent: new ShownAgent(session),
    sees_tool_calls: true,
    tool: undefined,
  };
  const turn: Turn = {
    id: input.type === "task" ? input.turn_id : (unheard?.turn_id ?? begun?.turn_id ?? session.newId()),
    controller,
    signal: controller.signal,
    aborted,
    run,
    lastWords: undefined,
    modelCalls: modelCalls(aborted),
    firing,
    firingOf: new Map(),
    is_hook_input_turn:
      begun === undefined
        ? (unheard?.input ?? input).type === "hook_input"
        : startedByHook(conversation.transcript(from)),
    usage: noUsage(),
    from,
    begun: NO_CALLS,
    told: undefined,
    iterations: begun === undefined ? 0 : answersIn(conversation.transcript(from)),
    continuations: 0,
    partial: "",
    system_prompt: options.system_prompt ?? "",
  };
  return turn;
}

function startedByHook([first]: readonly AgentMessage[]): boolean {
  return first?.role === "user" && first.source === "hook";
}

/** What a turn used up before it was cut off still counts. */
function answersIn(messages: readonly AgentMessage[]): number {
  return messages.filter(({ role }) => role === "assistant").length;
}

/**
 * Runs one turn from its input to its end. Never rejects for what happens in it. TurnEnd follows every TurnStart; what
 * hooks want to go on with is in the session's queue then.
 */
export async function runTurn(session: AgentSession, turn: Turn, input: TurnInput): Promise<Generated> {
  const generated =
    input.type === "continue"
      ? await goOn(session, turn, input.answers)
      : await newWork(session, turn, input);
  endDeadlines(turn.modelCalls);
  // A turn that was refused has not begun, and one that waits for a human is not over.
  if (generated.begun && generated.stop_reason !== "suspended") await end(session, turn, generated);
  return generated;
}

type Begun = Generated & { readonly begun: boolean };

async function goOn(session: AgentSession, turn: Turn, answers: unknown): Promise<Begun> {
  const { unfinished, unheard } = session;
  if (unheard !== undefined) return newWork(session, turn, unheard.input, unheard.untyped !== true);
  if (unfinished !== undefined)
    return { ...(await continueTurn(session, turn, unfinished, answers)), begun: true };
  return { ...lastWord(session), begun: false };
}

async function newWork(session: AgentSession, turn: Turn, input: NewInput, again = false): Promise<Begun> {
  session.unheard = undefined;
  session.identity.turn_id = turn.id;
  await watchMemory(session);
  emit(session, { type: "turn_start", turn_id: turn.id, is_hook_input_turn: turn.is_hook_input_turn });
  const context: ContextItem[] = [];
  let prompt = "";
  if (input.type === "prompt") {
    const submitted = await submit(session, turn, input.text, context, again);
    if ("stop_reason" in submitted) return { ...submitted, begun: false };
    prompt = submitted.prompt;
  }
  // What waited for a turn waits on while its prompt is refused.
  context.unshift(...session.pending_context.splice(0));
  if (input.type === "task") context.push(...input.context);
  let generated: Generated;
  const waited = hasWaited(session);
  try {
    if (session.unfinished !== undefined) await settleUnfinished(session);
    const parts = await put(session, turn, input, prompt, context, waited);
    const task = input.type === "hook_input" ? hookInputText(input.input) : textOfParts(parts);
    generated = await generate(session, turn, task);
  } catch (error) {
    generated = await windUp(session, turn, endingOf(error, turn.signal));
  }
  return { ...generated, begun: true };
}

type NewInput = Exclude<TurnInput, { readonly type: "continue" }>;

/**
 * Puts the turn's input before the model, with what hooks add. What was said stands in the conversation also when the
 * turn is ended while they think.
 */
async function put(
  session: AgentSession,
  turn: Turn,
  input: NewInput,
  prompt: string,
  context: ContextItem[],
  waited: boolean,
): Promise<readonly (TextPart | HookInputPart)[]> {
  const source = input.type === "hook_input" ? "hook" : "user";
  let parts: readonly (TextPart | HookInputPart)[];
  try {
    parts = await begin(session, turn, input, prompt, context);
  } catch (error) {
    session.pending_context.push(...context);
    await append(session, userMessage(session, source, [firstPart(input, prompt)]));
    throw error;
  }
  await append(session, userMessage(session, source, parts));
  if (waited) await forgetWaiting(session);
  await inject(session, context);
  return parts;
}

function firstPart(input: NewInput, prompt: string): TextPart | HookInputPart {
  if (input.type === "hook_input") return { type: "hook_input", ...input.input };
  return { type: "text", text: input.type === "task" ? input.text : prompt };
}

function textOfParts([first]: readonly (TextPart | HookInputPart)[]): string {
  return first?.text ?? "";
}

async function submit(
  session: AgentSession,
  turn: Turn,
  text: string,
  context: ContextItem[],
  again: boolean,
): Promise<{ readonly prompt: string } | Generated> {
  try {
    const { pending_abort } = session;
    session.pending_abort = undefined;
    if (pending_abort !== undefined) throw pending_abort;
    if (!again) await keepTyped(session, text);
    const decision = await decide(session, "UserPromptSubmit", { prompt: text }, turn.firing);
    show(session, decision);
    mustGoOn(turn);
    if (decision.abort !== undefined) throw endedBy(decision.abort, "UserPromptSubmit");
    if (decision.action === "deny")
      throw new TurnEnded("denied", decision.reason ?? "A hook refused the prompt.");
    context.push(...decision.context);
    return { prompt: decision.prompt ?? text };
  } catch (error) {
    return windUp(session, turn, endingOf(error, turn.signal));
  }
}

async function keepTyped({ options, identity }: AgentSession, text: string): Promise<void> {
  try {
    await options.store?.typed?.(text, identity);
  } catch (cause) {
    throw storeFailed("What you typed", cause);
  }
}

/** TurnStart: hooks of the set, then the program of `.agent/hook.toml`; what they say joins the turn's input. */
async function begin(
  session: AgentSession,
  turn: Turn,
  input: NewInput,
  prompt: string,
  context: ContextItem[],
): Promise<readonly (TextPart | HookInputPart)[]> {
  // A child has no turns of the user: SubagentStart and AgentStart tell of its work.
  const first = firstPart(input, prompt);
  if (input.type === "task") return [first];
  const { is_hook_input_turn } = turn;
  const given = input.type === "prompt" ? prompt : input.input.text;
  const decision = await fire(session, turn, "TurnStart", { input: given, is_hook_input_turn });
  context.push(...decision.context);
  const joined = [...decision.hook_inputs];
  joined.push(...(await runTurnHook(session, turn, "TurnStart")));
  const used = input.type === "prompt" ? joined : [input.input, ...joined];
  for (const text of used) await record(session, { type: "hook_input", ...text, ...factsOf(text) });
  return [first, ...joined.map((hookInput) => ({ type: "hook_input", ...hookInput }) as const)];
}

/** TurnEnd, which every TurnStart has; and what follows from it. */
async function end(session: AgentSession, turn: Turn, { text, stop_reason }: Generated): Promise<void> {
  session.conversation.endTurn();
  if (session.depth > 0) return tellMemoryChanges(session);
  const { is_hook_input_turn } = turn;
  const over = stop_reason === "cancelled" || stop_reason === "aborted";
  const inputs = over ? [] : await runTurnHook(session, turn, "TurnEnd").catch(() => []);
  const ofClients = over ? [] : session.submitted.splice(0);
  inputs.push(...ofClients);
  const firing = inputs.length === 0 ? turn.firing : { ...turn.firing, hook_inputs: inputs };
  const decision = await fireAnyway(session, "TurnEnd", { result: text, is_hook_input_turn }, firing);
  await tellMemoryChanges(session);
  session.pending_context.push(...decision.context);
  if (over || turn.aborted.already) {
    session.queue.length = 0;
    // What clients said follows the next run.
    session.submitted.unshift(...ofClients);
    return;
  }
  session.queue.push(...decision.hook_inputs);
}
