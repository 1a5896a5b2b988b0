import { internals } from "../../core/internals.ts";
import { NO_MESSAGES } from "../conversation/conversation.ts";
import { readMessages } from "../conversation/read-messages.ts";
import type { Unfinished } from "../conversation/restore.ts";
import type { Generated } from "../items.ts";
import { callsOf, type MessageFromAssistant, textOf } from "../messages/messages.ts";
import { stopReasonOf } from "../model/finish-reason.ts";
import { STOP_REASONS, type StopReason } from "../stop-reasons.ts";
import { endingOf, TurnEnded } from "../turn-ended.ts";
import { askModel } from "./call-model.ts";
import { asksAgain, tellFormat, withOutput } from "./check-output.ts";
import { compactIfLong } from "./compaction/compact.ts";
import { makeRoom } from "./compaction/make-room.ts";
import { endEarly } from "./end-early.ts";
import { guardAnswer, releaseAnswer } from "./guard.ts";
import { append, inject, userMessage } from "./session/append.ts";
import { deliverLateResults } from "./session/background.ts";
import { mustBeInBudget } from "./session/budget.ts";
import { periodicCheckpoint } from "./session/checkpoint.ts";
import { fire, fireAnyway } from "./session/fire.ts";
import { forgetWaiting, hasWaited } from "./session/save-status.ts";
import type { AgentSession, Turn } from "./session/session.ts";
import { joinSteering } from "./steer.ts";
import { askStop, type Ended, workOf } from "./stop.ts";
import { runToolCalls } from "./tool-calls/batch.ts";

/** The reason in AgentStop events, which have none for agents that wait. */
function agentStopReason(stop_reason: StopReason): "complete" | "error" | "cancelled" | "limit" {
  if (stop_reason === "budget") return "limit";
  return stop_reason === "suspended" ? "cancelled" : STOP_REASONS[stop_reason].status;
}

/**
 * Runs the rounds of a turn: AgentStart, iterations, Stop, AgentStop. Never rejects: whatever ends the work, the
 * conversation ends with an answer, and AgentStop follows AgentStart.
 *
 * @param begun where an interrupted turn continues.
 */
export async function generate(turn: Turn, task: string, begun?: Unfinished): Promise<Generated> {
  let generated: Generated;
  try {
    generated = await work(turn, task, begun);
  } catch (error) {
    generated = await endEarly(turn, endingOf(error, turn.signal));
  }
  const { text, stop_reason } = generated;
  const fields = { result: text, reason: agentStopReason(stop_reason), ...workOf(turn) };
  await fireAnyway(turn.session, "AgentStop", fields, turn.firing);
  return generated;
}

async function work(turn: Turn, task: string, begun: Unfinished | undefined): Promise<Generated> {
  const { session } = turn;
  const started = await fire(turn, "AgentStart", { task });
  if (started.action === "deny")
    throw new TurnEnded("denied", started.reason ?? "A hook did not let the agent start.");
  if (begun !== undefined) await catchUp(turn, begun);
  await preGeneration(turn);
  let answer = begun?.answer;
  /** What the model wrote before its provider paused it. */
  let pausedText = "";
  for (;;) {
    const last = turn.iterations >= session.limits.iterations;
    const { message, called_tools } =
      answer === undefined ? await iterate(turn, last) : { message: answer, called_tools: false };
    answer = undefined;
    if (called_tools && !last) {
      pausedText = "";
      continue;
    }
    const wasHeld = turn.held !== undefined;
    const before = pausedText;
    let final = message;
    if (!last && mayGoOn(turn, message)) {
      final = await released(turn, message);
      const paused = message.finish_reason === "pause";
      pausedText = paused ? before + textOf(final) : "";
      if ((await deliverLateResults(turn)) || paused) continue;
      if (await goesOnShortened(turn, message)) continue;
      if (await joinSteering(turn)) continue;
      if (await asksAgain(turn, message, before + textOf(final))) continue;
    }
    pausedText = "";
    const stopped = await askStop(turn, message, last);
    final = await released(turn, final);
    if ("keep_going" in stopped) {
      const parts = [{ type: "text", text: stopped.keep_going }] as const;
      await append(session, userMessage(session, "hook", parts));
      continue;
    }
    if (!last && (await joinSteering(turn))) continue;
    if (!wasHeld) final = await guardAnswer(turn, final);
    const { format, failures = 0 } = turn.output ?? {};
    const generated = ended(final, before + textOf(final), last ? atLimit(session, stopped) : stopped);
    return withOutput(generated, format, failures + 1);
  }
}

/** True when something may follow an answer before Stop hooks are asked. */
function mayGoOn(turn: Turn, { finish_reason }: MessageFromAssistant): boolean {
  const { output } = turn;
  const { background, inbox } = turn.session;
  if (background.done.length > 0 || inbox.steering.length > 0 || output !== undefined) return true;
  return finish_reason === "pause" || finish_reason === "context_overflow";
}

/** The answer as it is in the conversation: one that was held is asked about and stored first. */
async function released(turn: Turn, message: MessageFromAssistant): Promise<MessageFromAssistant> {
  return turn.held === undefined ? message : releaseAnswer(turn, turn.held);
}

/** Makes room when an answer has filled the context, and asks the model to go on. Returns false when there is no room. */
async function goesOnShortened(turn: Turn, { finish_reason }: MessageFromAssistant): Promise<boolean> {
  const { session } = turn;
  if (finish_reason !== "context_overflow" || turn.made_room) return false;
  turn.made_room = true;
  if ((await makeRoom(turn)) === undefined) return false;
  const text = "Your answer was cut off because the context was full. The conversation was shortened: go on.";
  await append(session, userMessage(session, "runtime", [{ type: "text", text }]));
  return true;
}

function ended(
  message: MessageFromAssistant,
  text: string,
  how: Pick<Generated, "stop_reason" | "reason">,
): Generated {
  const { finish_reason } = message;
  const byModel = how.stop_reason === "limit" ? undefined : stopReasonOf(message);
  return {
    text: text === "" && byModel === "refused" ? "The model refused to answer." : text,
    ...(byModel === undefined ? how : { stop_reason: byModel }),
    finish_reason,
  };
}

/** How a turn ends at the iteration limit, whatever Stop hooks say. */
function atLimit(
  { limits }: AgentSession,
  { stop_reason, reason }: Ended,
): Pick<Generated, "stop_reason" | "reason"> {
  const { iterations } = limits;
  const text = `The turn has reached its limit of ${iterations} ${iterations === 1 ? "iteration" : "iterations"}.`;
  return { stop_reason: "limit", reason: stop_reason === "complete" ? text : (reason ?? text) };
}

/**
 * One round of the loop: PreIteration, the model, its tool calls, PostIteration.
 *
 * @param last true at the iteration limit: the model gets no tools and must answer.
 * @throws TurnEnded when a hook refuses or ends the run, no model answers, or the turn is interrupted.
 */
async function iterate(turn: Turn, last: boolean) {
  const { session } = turn;
  const { conversation, limits, hooks } = session;
  mustBeInBudget(session);
  const iteration = turn.iterations;
  turn.iterations += 1;
  await deliverLateResults(turn);
  if (!last) await joinSteering(turn);
  await compactIfLong(turn);
  await tellFormat(turn);
  if (last) {
    const text = `You have reached the limit of ${limits.iterations} iterations and have no tools any more. Answer now with what you have.`;
    await append(session, userMessage(session, "runtime", [{ type: "text", text }], "turn"));
  }
  const decision = await fire(turn, "PreIteration", {
    iteration,
    messages: internals(hooks).wants("PreIteration") ? conversation.seen() : NO_MESSAGES,
    system_prompt: turn.system_prompt,
    usage: turn.usage,
  });
  if (decision.action === "deny")
    throw new TurnEnded("denied", decision.reason ?? "A hook ended the generation.");
  const added = await inject(session, decision.context);
  const message = await askModel(turn, {
    iteration,
    with_tools: !last,
    system_prompt: decision.system_prompt ?? turn.system_prompt,
    messages: decision.messages === undefined ? undefined : [...readMessages(decision.messages), ...added],
  });
  const calls = callsOf(message);
  if (calls.length > 0) {
    await runToolCalls(turn, calls);
    if (hasWaited(session)) await forgetWaiting(session);
    await periodicCheckpoint(turn);
  }
  await fire(turn, "PostIteration", { iteration, response: message, usage: turn.usage });
  return { message, called_tools: calls.length > 0 };
}

/** Runs the calls that are left, then adds the context that hooks gave meanwhile. */
async function catchUp(turn: Turn, { rerun }: Unfinished): Promise<void> {
  const { session } = turn;
  if (rerun.length > 0) await runToolCalls(turn, rerun);
  if (hasWaited(session)) await forgetWaiting(session);
  await inject(session, session.inbox.context.splice(0));
}

async function preGeneration(turn: Turn): Promise<void> {
  const { session } = turn;
  const { conversation, hooks } = session;
  const decision = await fire(turn, "PreGeneration", {
    messages: internals(hooks).wants("PreGeneration") ? conversation.seen() : NO_MESSAGES,
    system_prompt: turn.system_prompt,
  });
  if (decision.action === "deny")
    throw new TurnEnded("denied", decision.reason ?? "A hook ended the generation.");
  if (decision.system_prompt !== undefined) turn.system_prompt = decision.system_prompt;
  if (decision.messages !== undefined) conversation.show(readMessages(decision.messages));
  await inject(session, decision.context);
}
