import type { ContextItem } from "../../core/events/outcomes.ts";
import { type Generated, inputText, type NewInput, type TurnInput } from "../items.ts";
import type { HookInputPart, MessageFromUser } from "../messages/messages.ts";
import { hookInputText } from "../messages/prompt.ts";
import { type PromptInput, partsOf } from "../messages/prompt-input.ts";
import { endingOf, isPause, TurnEnded } from "../turn-ended.ts";
import { continueTurn, settleUnfinished } from "./continue-turn.ts";
import { endEarly } from "./end-early.ts";
import { generate } from "./generate.ts";
import { refusedFirstModel } from "./model-calls/switch.ts";
import { enterTurn } from "./new-turn.ts";
import { append, inject, record, userMessage } from "./session/append.ts";
import { fire, fireAnyway } from "./session/fire.ts";
import { tellMemoryChanges } from "./session/memory-update.ts";
import { forgetWaiting, hasWaited } from "./session/save-status.ts";
import type { Turn } from "./session/session.ts";
import { submitPrompt } from "./submit-prompt.ts";
import { factsOf } from "./turn-programs/program.ts";
import { runTurnHook } from "./turn-programs/run.ts";

/** Runs one turn. Never rejects for what happens in it. TurnEnd follows every TurnStart; it may fill the inbox. */
export async function runTurn(turn: Turn, input: TurnInput): Promise<Generated> {
  const refusal = turn.signal.aborted ? undefined : await refusedFirstModel(turn.session, turn.firing);
  if (refusal !== undefined) return endEarly(turn, endingOf(new TurnEnded("denied", refusal), turn.signal));
  const generated = input.type === "continue" ? await goOn(turn, input.answers) : await newWork(turn, input);
  // A refused turn has not begun, and a suspended one is not over.
  if (!generated.begun || isPause(generated.stop_reason)) return generated;
  const ceiling = await end(turn, generated);
  return ceiling === undefined ? generated : capped(generated, ceiling);
}

/** A turn that hooks wanted to go on after, which a ceiling did not let them. */
export function capped(generated: Generated, reason: string): Generated {
  return generated.stop_reason === "complete" ? { ...generated, stop_reason: "capped", reason } : generated;
}

type Begun = Generated & { readonly begun: boolean };

async function goOn(turn: Turn, answers: unknown): Promise<Begun> {
  const { unheard } = turn.session.pending;
  if (unheard !== undefined) return newWork(turn, unheard.input);
  return { ...(await continueTurn(turn, answers)), begun: true };
}

async function newWork(turn: Turn, given: NewInput): Promise<Begun> {
  const { session } = turn;
  session.pending.unheard = undefined;
  await enterTurn(turn);
  const context: ContextItem[] = [];
  let input = given;
  if (given.type === "prompt") {
    const submitted = await submit(turn, given, context);
    if ("stop_reason" in submitted) return { ...submitted, begun: false };
    input = submitted;
  }
  // After the prompt was accepted: what waits for a turn waits on when it is refused.
  context.unshift(...session.inbox.context.splice(0));
  if (input.type === "task") context.push(...input.context);
  let generated: Generated;
  const waited = hasWaited(session);
  try {
    if (session.pending.unfinished !== undefined) await settleUnfinished(session);
    await put(turn, input, context);
    if (waited) await forgetWaiting(session);
    await inject(session, context);
    const task = input.type === "hook_input" ? hookInputText(input.input) : input.text;
    generated = await generate(turn, task);
  } catch (error) {
    generated = await endEarly(turn, endingOf(error, turn.signal));
  }
  return { ...generated, begun: true };
}

/** Appends the input with what hooks join to it; the input alone when the turn ends during those hooks. */
async function put(turn: Turn, input: NewInput, context: ContextItem[]): Promise<void> {
  const { session } = turn;
  const source = input.type === "hook_input" ? "hook" : "user";
  let joined: readonly HookInputPart[];
  try {
    joined = await begin(turn, input, context);
  } catch (error) {
    session.inbox.context.push(...context);
    await append(session, userMessage(session, source, ownParts(input)));
    throw error;
  }
  await append(session, userMessage(session, source, [...ownParts(input), ...joined]));
}

function ownParts(input: NewInput): MessageFromUser["parts"] {
  if (input.type === "prompt") return partsOf(input);
  return input.type === "hook_input"
    ? [{ type: "hook_input", ...input.input }]
    : [{ type: "text", text: input.text }];
}

/** Fires UserPromptSubmit. Returns the prompt as hooks leave it, or how the turn ended that they refuse. */
async function submit(
  turn: Turn,
  input: PromptInput,
  context: ContextItem[],
): Promise<PromptInput | Generated> {
  const { session } = turn;
  try {
    const { abort } = session.inbox;
    session.inbox.abort = undefined;
    if (abort !== undefined) throw abort;
    const submitted = await submitPrompt(turn, input);
    if ("refused" in submitted) throw new TurnEnded("denied", submitted.refused);
    context.push(...submitted.context);
    return submitted.prompt;
  } catch (error) {
    return endEarly(turn, endingOf(error, turn.signal));
  }
}

/** Fires TurnStart, then runs the program of `.agent/hook.toml`; what they say joins the input. */
async function begin(turn: Turn, input: NewInput, context: ContextItem[]): Promise<readonly HookInputPart[]> {
  // The turns of a subagent are no turns of the user: it has SubagentStart and AgentStart.
  if (input.type === "task") return [];
  const { is_hook_input_turn } = turn;
  const decision = await fire(turn, "TurnStart", { input: inputText(input), is_hook_input_turn });
  context.push(...decision.context);
  const joined = [...decision.hook_inputs, ...(await runTurnHook(turn, "TurnStart"))];
  const used = input.type === "prompt" ? joined : [input.input, ...joined];
  for (const text of used) await record(turn.session, { type: "hook_input", ...text, ...factsOf(text) });
  return joined.map((hookInput) => ({ type: "hook_input", ...hookInput }) as const);
}

/** Fires TurnEnd. Returns the ceiling that did not let hooks start another turn. */
async function end(turn: Turn, { text, stop_reason }: Generated): Promise<string | undefined> {
  const { session } = turn;
  session.conversation.endTurn();
  if (session.subagents.depth > 0) {
    await tellMemoryChanges(session);
    return undefined;
  }
  const { is_hook_input_turn } = turn;
  const over = stop_reason === "cancelled" || stop_reason === "aborted";
  const inputs = over ? [] : await runTurnHook(turn, "TurnEnd").catch(() => []);
  const ofClients = over ? [] : session.inbox.submitted.splice(0);
  inputs.push(...ofClients);
  const firing = inputs.length === 0 ? turn.firing : { ...turn.firing, hook_inputs: inputs };
  const decision = await fireAnyway(session, "TurnEnd", { result: text, is_hook_input_turn }, firing);
  await tellMemoryChanges(session);
  session.inbox.context.push(...decision.context);
  if (over || turn.signal.aborted) {
    session.inbox.hook_inputs.length = 0;
    // What clients submitted waits for the next run.
    session.inbox.submitted.unshift(...ofClients);
    return undefined;
  }
  session.inbox.hook_inputs.push(...decision.hook_inputs);
  return decision.ceiling?.message;
}
