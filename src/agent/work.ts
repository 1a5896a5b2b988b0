import { TenterhookError } from "../core/base/errors.ts";
import type { HookInput } from "../core/decide/decision.ts";
import type { AgentResult, SteerResult, TurnInput } from "./items.ts";
import type { PromptInput } from "./messages/prompt-input.ts";
import { compact } from "./run/compaction/compact.ts";
import { SessionLifetime } from "./run/lifetime.ts";
import { refusedFirstModel } from "./run/model-calls/switch.ts";
import {
  interruption,
  type OpenRun,
  openRun,
  type RunOptions,
  runTurns,
  tooManyHookTurns,
} from "./run/run.ts";
import { traceRun } from "./run/run-span.ts";
import { beginSpending } from "./run/session/budget.ts";
import { whileClaimed } from "./run/session/claim.ts";
import { betweenTurns } from "./run/session/fire.ts";
import { listen } from "./run/session/listeners.ts";
import type { OutputFormat } from "./run/session/output-format.ts";
import { type AgentSession, emit, hookLimit } from "./run/session/session.ts";
import { endSteering, steer } from "./run/steer.ts";
import type { StopReason } from "./stop-reasons.ts";
import { notifyStopped } from "./subagents/run-child.ts";
import { outsideOfTurn } from "./turn-ended.ts";

/** How a run ends that leaves submitted texts to the next one. */
const CUT_SHORT: readonly StopReason[] = ["cancelled", "aborted", "suspended", "budget"];

/** What an agent is doing: one run or compaction at a time, until it is closed. */
export class AgentWork {
  readonly lifetime: SessionLifetime;
  readonly #session: AgentSession;
  #running: Promise<AgentResult> | undefined;
  #run: OpenRun | undefined;
  #compacting: Promise<unknown> | undefined;
  #closed: Promise<void> | undefined;
  /** Turns that clients have started since the last prompt of the user. */
  #clientTurns = 0;

  constructor(session: AgentSession) {
    this.#session = session;
    this.lifetime = new SessionLifetime(session, (reason) => this.close(reason));
  }

  start(input: TurnInput, options: RunOptions, format?: OutputFormat): Promise<AgentResult> {
    this.mustBeFree("another task");
    this.#clientTurns = 0;
    return this.#drive(input, options, format);
  }

  /** Runs the text of a client: in a turn that follows the current one, or immediately. */
  async submit(input: HookInput): Promise<AgentResult> {
    const { submitted } = this.#session.inbox;
    await this.#compacting;
    while (this.#running !== undefined) {
      submitted.push(input);
      const result = await this.#running;
      const at = submitted.indexOf(input);
      if (at === -1 || CUT_SHORT.includes(result.stop_reason)) return result;
      // It came too late for another turn of that run.
      submitted.splice(at, 1);
    }
    const most = hookLimit(this.#session, "hook_turns");
    if (this.#clientTurns >= most) throw new TenterhookError("hook_turn_limit", tooManyHookTurns(most));
    this.#clientTurns += 1;
    return this.#drive({ type: "hook_input", input }, {});
  }

  async steer(prompt: PromptInput): Promise<SteerResult> {
    this.mustBeOpen();
    if (this.#running === undefined) return { status: "not_joined", reason: "No run is under way." };
    return steer(this.#session, prompt);
  }

  interrupt(reason: string): void {
    this.#run?.controller.abort(interruption(reason));
  }

  async compact({ signal, onItem }: Pick<RunOptions, "signal" | "onItem">): Promise<boolean> {
    this.mustBeFree("a task");
    const unlisten = onItem === undefined ? () => {} : listen(this.#session, onItem);
    const compacted = whileClaimed(this.#session, async () => {
      await this.lifetime.open(signal);
      const refusal = await refusedFirstModel(this.#session, betweenTurns(this.#session, signal));
      if (refusal !== undefined) throw new TenterhookError("model_switch_denied", refusal);
      const lifetime = this.#session.lifetime.signal;
      const ended = signal === undefined ? lifetime : AbortSignal.any([signal, lifetime]);
      try {
        return await compact(this.#session, "manual", { turn: undefined, signal: ended });
      } catch (error) {
        throw outsideOfTurn(error);
      }
    });
    this.#compacting = compacted.catch(() => {});
    try {
      return await compacted;
    } finally {
      this.#compacting = undefined;
      unlisten();
    }
  }

  /** Ends the session. A second call waits for the first. */
  close(reason: string): Promise<void> {
    this.#closed ??= this.#close(reason);
    return this.#closed;
  }

  /** @throws TenterhookError `agent_closed`. */
  mustBeOpen(): void {
    if (this.#closed === undefined) return;
    throw new TenterhookError("agent_closed", `The agent ${this.#session.identity.agent_id} was closed.`);
  }

  /** @throws TenterhookError `agent_busy`, `agent_closed`. */
  mustBeFree(other: string): void {
    this.mustBeOpen();
    if (this.#running === undefined && this.#compacting === undefined) return;
    const doing = this.#running === undefined ? "shortening its conversation" : `working on ${other}`;
    throw new TenterhookError("agent_busy", `The agent ${this.#session.identity.agent_id} is ${doing}.`);
  }

  async #drive(input: TurnInput, options: RunOptions, format?: OutputFormat): Promise<AgentResult> {
    this.mustBeFree("another task");
    const { onItem, close = false } = options;
    const unlisten = onItem === undefined ? () => {} : listen(this.#session, onItem);
    const run = openRun(options.signal);
    this.#run = run;
    beginSpending(this.#session, options.limits);
    const { signal } = run.controller;
    const work = () =>
      traceRun(this.#session, async () => {
        await this.lifetime.openFor(signal, input);
        return runTurns(this.#session, input, signal, format);
      });
    const running = whileClaimed(this.#session, work).then((result) => this.#tellDone(result, close));
    this.#running = running;
    try {
      return await running;
    } finally {
      this.#running = undefined;
      this.#run = undefined;
      endSteering(this.#session);
      run.forget();
      if (close) await this.close("error");
      unlisten();
    }
  }

  /** Emits `done`; when the run closes the agent, after SessionEnd. */
  #tellDone(result: AgentResult, close: boolean): AgentResult {
    if (close && this.#closed === undefined)
      this.#closed = this.#close(result.stop_reason === "cancelled" ? "interrupt" : "exit", result);
    else emit(this.#session, { type: "done", result });
    return result;
  }

  async #close(reason: string, result?: AgentResult): Promise<void> {
    const session = this.#session;
    session.memoryFiles.stop();
    this.interrupt(reason);
    notifyStopped(session);
    session.lifetime.abort(new Error("The agent was closed."));
    if (this.#running !== undefined) await this.#running.catch(() => {});
    await this.#compacting;
    await this.lifetime.end(reason);
    if (result !== undefined) emit(session, { type: "done", result });
    this.lifetime.silence();
    session.options.onClosed?.();
  }
}
