import { isAborted } from "../core/cancellation.ts";
import { checkpoint } from "./checkpoint.ts";
import { TurnEnded } from "./ended.ts";
import type { AgentResult, Generated, ItemListener } from "./items.ts";
import { announceCutOff } from "./resume/announce-cut-off.ts";
import { giveAnswer } from "./resume/answers.ts";
import { lastWord } from "./resume/last-word.ts";
import { type AgentSession, isUnfinished, type Turn } from "./session.ts";
import { saveResult, saveRunning } from "./status.ts";
import { describeKinds } from "./subagents/kinds.ts";
import { newTurn, runTurn, type TurnInput } from "./turn.ts";
import { addUsage, noUsage } from "./usage.ts";

/** How a run is watched and ended. */
export interface RunOptions {
  /** Interrupts the run. */
  readonly signal?: AbortSignal;
  /** Hears of everything while it happens; `done` is the last item. */
  readonly onItem?: ItemListener;
  /** Ends the session with this run: SessionEnd hooks are heard before `done`. */
  readonly close?: boolean;
}

/** Runs a turn, and then the turns hooks started, first in first out, until nothing is left to do. */
export async function runTurns(
  session: AgentSession,
  first: TurnInput,
  { signal }: Pick<RunOptions, "signal">,
): Promise<AgentResult> {
  const usage = noUsage();
  const nothingLeft = first.type === "continue" && !isUnfinished(session);
  let generated: Generated | undefined = nothingLeft ? lastWord(session) : undefined;
  let iterations = 0;
  let input: TurnInput | undefined = nothingLeft ? undefined : first;
  for (; input !== undefined; input = nextInput(session)) {
    if (input.type === "continue") giveAnswer(session, input.answers);
    const turn = newTurn(session, input);
    if (input === first) await begin(session, first, turn);
    session.turn = turn;
    const forget = interruptedBy(turn.controller, signal);
    try {
      generated = await runTurn(session, turn, input);
      await checkpoint(session, "auto", turn);
    } finally {
      forget();
      session.turn = undefined;
    }
    iterations = turn.iterations;
    addUsage(usage, turn.usage);
    if (generated.stop_reason === "suspended") break;
  }
  const { session_id, agent_id } = session.identity;
  const { text = "", stop_reason = "complete", error, waiting_for } = generated ?? {};
  const result: AgentResult = {
    agent_id,
    session_id,
    text,
    usage,
    stop_reason,
    iterations,
    ...(error === undefined ? {} : { error }),
    ...(waiting_for === undefined ? {} : { waiting_for }),
  };
  if (session.children.size > 0) await Promise.all(session.children);
  if (!nothingLeft) await saveResult(session, result);
  return result;
}

/** What a run begins with: it is kept that the agent is at work, and its tools tell what they can do now. */
async function begin(session: AgentSession, input: TurnInput, { id }: Turn): Promise<void> {
  await saveRunning(session, input, id);
  if (session.cut_off.length > 0) await announceCutOff(session);
  await describeKinds(session);
}

function nextInput({ queue }: AgentSession): TurnInput | undefined {
  const input = queue.shift();
  return input === undefined ? undefined : { type: "hook_input", input };
}

/** Ends a turn when the caller's signal is aborted. */
function interruptedBy(controller: AbortController, signal: AbortSignal | undefined): () => void {
  if (signal === undefined) return () => {};
  const interrupt = (): void => controller.abort(interruption(signal.reason));
  if (isAborted(signal)) interrupt();
  else signal.addEventListener("abort", interrupt, { once: true });
  return () => signal.removeEventListener("abort", interrupt);
}

/** What ends a turn when somebody interrupts it. */
export function interruption(reason: unknown): TurnEnded {
  const text = reason instanceof Error ? reason.message : typeof reason === "string" ? reason : "interrupted";
  return new TurnEnded("cancelled", text);
}
