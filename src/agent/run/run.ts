import { withoutUndefined } from "../../core/base/json.ts";
import type { AnySchema } from "../../shared/contracts/schema.ts";
import type { AgentResult, Generated, ItemListener, TurnInput } from "../items.ts";
import { addUsage, noUsage } from "../model/usage.ts";
import type { Budget } from "../options.ts";
import type { StopReason } from "../stop-reasons.ts";
import { endingOf, isPause, TurnEnded } from "../turn-ended.ts";
import { withOutput } from "./check-output.ts";
import { lastAnswer } from "./continue-turn.ts";
import { newTurn } from "./new-turn.ts";
import { giveAnswer } from "./session/answers.ts";
import { reportLostWork } from "./session/background.ts";
import { checkpoint } from "./session/checkpoint.ts";
import { fireAnyway } from "./session/fire.ts";
import type { OutputFormat } from "./session/output-format.ts";
import { saveResult, saveRunning } from "./session/save-status.ts";
import { type AgentSession, emit, hookLimit, isUnfinished, type Turn } from "./session/session.ts";
import { describeKinds } from "./skills/kinds.ts";
import { capped, runTurn } from "./turn.ts";

/** For one call of `run` or `continue`. */
export interface RunOptions {
  /** Interrupts the run. */
  readonly signal?: AbortSignal;
  /** Called with everything that happens; `done` is the last item. */
  readonly onItem?: ItemListener;
  /** Ends the session with this run: SessionEnd hooks run before `done`. */
  readonly close?: boolean;
  /** What this run may use, subagents included. Reached: it ends with `budget`, and `continue` goes on. */
  readonly limits?: Partial<Budget>;
  /**
   * What the answer must be: a zod schema or any other Standard Schema, or a JSON Schema. An answer that does not fit is asked
   * for again; the result has it as `output`.
   */
  readonly output?: AnySchema;
}

export interface OpenRun {
  /** Interrupts the run. */
  readonly controller: AbortController;
  /** Stops listening to the caller's signal. */
  readonly forget: () => void;
}

export function openRun(signal: AbortSignal | undefined): OpenRun {
  const controller = new AbortController();
  const interrupt = (): void => controller.abort(interruption(signal?.reason));
  if (signal?.aborted === true) interrupt();
  else signal?.addEventListener("abort", interrupt, { once: true });
  const forget = (): void => signal?.removeEventListener("abort", interrupt);
  return { controller, forget };
}

/** Runs a turn, then the turns that hooks and clients start, until nothing is left to do. */
export async function runTurns(
  session: AgentSession,
  first: TurnInput,
  run: AbortSignal,
  format?: OutputFormat,
): Promise<AgentResult> {
  const usage = noUsage();
  const nothingLeft = first.type === "continue" && !isUnfinished(session);
  let generated: Generated | undefined = nothingLeft
    ? await withOutput(lastAnswer(session), format)
    : undefined;
  let iterations = 0;
  let turns = 0;
  let hookTurns = 0;
  let input: TurnInput | undefined = nothingLeft ? undefined : first;
  while (input !== undefined) {
    if (input.type === "hook_input") hookTurns += 1;
    if (input.type === "continue") giveAnswer(session, input.answers);
    const turn = newTurn(session, input, run, format);
    if (input === first) await begin(session, first, turn);
    session.turn = turn;
    const interrupt = (): void => turn.controller.abort(run.reason);
    if (run.aborted) interrupt();
    else run.addEventListener("abort", interrupt);
    try {
      generated = await runTurn(turn, input);
      await checkpoint(session, "auto", turn);
      generated = await endedLate(turn, generated);
    } finally {
      run.removeEventListener("abort", interrupt);
      session.turn = undefined;
    }
    turns += 1;
    iterations += turn.iterations;
    addUsage(usage, turn.usage);
    if (isPause(generated.stop_reason)) break;
    const next = turn.signal.aborted ? undefined : nextInput(session, hookTurns);
    input = next === "capped" ? undefined : next;
    if (next === "capped") generated = capped(generated, tooManyHookTurns(hookLimit(session, "hook_turns")));
  }
  const { session_id, agent_id } = session.identity;
  const { text = "", stop_reason = "complete", reason, finish_reason, output } = generated ?? {};
  const { error, waiting_for } = generated ?? {};
  const result: AgentResult = {
    agent_id,
    session_id,
    text,
    usage,
    stop_reason,
    ...withoutUndefined({ reason, finish_reason, output }),
    turns,
    iterations,
    ...withoutUndefined({ error, waiting_for }),
  };
  if (session.subagents.running.size > 0) await Promise.all(session.subagents.running);
  if (!nothingLeft) await saveResult(session, result);
  return result;
}

async function begin(session: AgentSession, input: TurnInput, { id }: Turn): Promise<void> {
  if (input.type !== "continue") session.pending.unheard = undefined;
  await saveRunning(session, input, id);
  if (session.pending.cut_off.length > 0) await reportLostWork(session);
  await describeKinds(session);
}

/** The input of the next turn: texts of hooks, then those of clients that came too late for the end of the turn. */
function nextInput(session: AgentSession, hookTurns: number): TurnInput | "capped" | undefined {
  const { hook_inputs, submitted } = session.inbox;
  const queued = hook_inputs.shift();
  if (queued !== undefined) return { type: "hook_input", input: queued };
  if (submitted.length === 0) return undefined;
  const most = hookLimit(session, "hook_turns");
  const input = hookTurns < most ? submitted.shift() : undefined;
  if (input !== undefined) return { type: "hook_input", input };
  emit(session, { type: "notice", text: tooManyHookTurns(most), level: "warning" });
  submitted.length = 0;
  return "capped";
}

export function tooManyHookTurns(most: number): string {
  return `Hook inputs have started ${most} turns since the user's last prompt, which is the limit.`;
}

/** How turns end that have an answer. */
const ANSWERED: readonly StopReason[] = [
  "complete",
  "capped",
  "stalled",
  "limit",
  "cut_off",
  "invalid_output",
  "refused",
];

/** Marks a turn that was interrupted after its answer: it has the answer, and no turn follows. */
async function endedLate(turn: Turn, generated: Generated): Promise<Generated> {
  const { session } = turn;
  const { stop_reason } = generated;
  if (!turn.signal.aborted || !ANSWERED.includes(stop_reason)) return generated;
  session.inbox.hook_inputs.length = 0;
  const { reason, message } = endingOf(undefined, turn.signal);
  if (reason === "cancelled") await fireAnyway(session, "Interrupt", { reason: message }, turn.firing);
  else emit(session, { type: "notice", text: message, level: "warning" });
  return { ...generated, stop_reason: reason, reason: message };
}

export function interruption(reason: unknown): TurnEnded {
  const isError = reason instanceof Error && reason.name !== "AbortError";
  const text = isError ? reason.message : typeof reason === "string" ? reason : "interrupted";
  return new TurnEnded("cancelled", text);
}
