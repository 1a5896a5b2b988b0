import { ignore } from "../core/base/error-text.ts";
import { TenterhookError } from "../core/base/errors.ts";
import { withoutUndefined } from "../core/base/json.ts";
import type { Usage } from "../core/contracts/transcript.ts";
import type { HookInput } from "../core/decide/decision.ts";
import { checkHookInput, checkRunOptions, checkTask } from "./check-options.ts";
import { checkpoint } from "./conversation/checkpoint.ts";
import { compact } from "./conversation/compact.ts";
import type { AgentMessage } from "./conversation/messages.ts";
import type { AgentItem, AgentResult, StopReason, TurnInput } from "./items.ts";
import {
  interruption,
  type OpenRun,
  openRun,
  type RunOptions,
  runTurns,
  tooManyHookTurns,
} from "./loop/run.ts";
import { outsideOfTurn } from "./loop/turn-ended.ts";
import type { ModelChoice } from "./model/agent-model.ts";
import { switchModel } from "./model/switch.ts";
import { sessionUsage } from "./model/usage.ts";
import type { AgentOptions } from "./options.ts";
import { checkAnswer, type HumanAnswer, type NoAnswer, shownWaiting } from "./resume/answers.ts";
import { whileClaimed } from "./session/claim.ts";
import { betweenTurns } from "./session/fire.ts";
import { SessionLifetime } from "./session/lifetime.ts";
import { ItemQueue, listen } from "./session/listeners.ts";
import { newSession } from "./session/open-session.ts";
import { type AgentSession, emit, hookLimit, isUnfinished } from "./session/session.ts";
import type { WaitingFor } from "./session/waiting-for.ts";
import { notifyStopped } from "./subagents/run-child.ts";
import { startTask } from "./subagents/start-task.ts";

/** Options of `continue`: those of a run, and an answer to what the agent waits for. */
export type ContinueOptions = RunOptions & (HumanAnswer | NoAnswer);

/** How a run ends that leaves submitted texts to the next one. */
const CUT_SHORT: readonly StopReason[] = ["cancelled", "aborted", "suspended"];

/**
 * An agent: a model, tools and hooks, and the conversation they have. It works on one task at a time; every run is a turn
 * of the same session, which ends with `close()` or with the process.
 *
 * @example
 * const agent = new Agent({ model, tools, hooks });
 * const { text } = await agent.run("Why do the tests fail?");
 * await agent.close();
 */
export class Agent {
  readonly #session: AgentSession;
  readonly #lifetime: SessionLifetime;
  #running: Promise<AgentResult> | undefined;
  #run: OpenRun | undefined;
  #compacting: Promise<unknown> | undefined;
  #closed: Promise<void> | undefined;
  /** Turns that clients have started since the last prompt of the user. */
  #clientTurns = 0;

  /** @throws TenterhookError for unknown options and invalid values. */
  constructor(options: AgentOptions) {
    this.#session = newSession(options, startTask);
    this.#lifetime = new SessionLifetime(this.#session, (reason) => this.close(reason));
  }

  get session_id(): string {
    return this.#session.identity.session_id;
  }

  get agent_id(): string {
    return this.#session.identity.agent_id;
  }

  /** What the session has used, including the time before it was resumed. */
  get usage(): Usage {
    return sessionUsage(this.#session);
  }

  /** The map that all hooks of this agent share. */
  get values(): Map<string, unknown> {
    return this.#session.values;
  }

  /**
   * Works on a task until there is an answer, then on what hooks queued. Resolves however it ends: look at
   * `stop_reason`.
   *
   * @throws TenterhookError `invalid_option` for an empty task; `agent_busy`, `agent_closed`, `model_unavailable`;
   *   `agent_exists` for a new agent whose id has a conversation already; `agent_in_use` and `agent_changed` when
   *   another process runs the agent, `store_failed` when that cannot be found out.
   */
  async run(task: string, options: RunOptions = {}): Promise<AgentResult> {
    checkTask(task);
    checkRunOptions("run", options);
    this.#mustBeFree("another task");
    this.#clientTurns = 0;
    return this.#drive({ type: "prompt", text: task }, options);
  }

  /**
   * Works on a task and yields everything that happens; the last item is `done`. The first run includes what hooks do
   * at the start of the session, a run with `close` what they do at its end. Leaving the loop early interrupts the
   * run.
   *
   * @throws TenterhookError as `run` does.
   */
  async *stream(
    task: string,
    options: Omit<RunOptions, "onItem"> = {},
  ): AsyncGenerator<AgentItem, void, void> {
    checkRunOptions("stream", options);
    const queue = new ItemQueue();
    const running = this.run(task, { ...options, onItem: (item) => queue.push(item) }).finally(() =>
      queue.end(),
    );
    // A caller that has stopped reading gets no error any more.
    ignore(running);
    let read = false;
    try {
      yield* queue.read();
      read = true;
    } finally {
      if (!read) this.interrupt("Nobody listens any more.");
      await running;
    }
  }

  /**
   * Gives the agent a text as a hook would: it starts a turn of its own, after the current one. Resolves when that
   * turn, or the run it joined, is over. When that run is interrupted, the text follows the next one.
   *
   * @throws TenterhookError `invalid_option` for an empty text; `hook_turn_limit` when hooks and clients have started
   *   too many turns; `agent_closed`.
   */
  async submitHookInput(input: HookInput): Promise<AgentResult> {
    const { submitted } = this.#session.inbox;
    checkHookInput(input);
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

  /**
   * Ends the current run: its model call, tools and hooks. The run resolves with `cancelled`; another one can follow.
   */
  interrupt(reason = "interrupted"): void {
    this.#run?.controller.abort(interruption(reason));
  }

  /**
   * Uses another model from the next call on.
   *
   * @throws TenterhookError `model_switch_denied` with the hook's reason; `model_unavailable`; `agent_closed`.
   */
  async switchModel(model: ModelChoice, reason?: string): Promise<void> {
    this.#mustBeOpen();
    await this.#lifetime.open();
    const why = { triggered_by: "user", ...(reason === undefined ? {} : { reason }) } as const;
    const firing = this.#session.turn?.firing ?? betweenTurns(this.#session, undefined);
    const refusal = await switchModel(this.#session, model, why, firing);
    if (refusal !== undefined) throw new TenterhookError("model_switch_denied", refusal);
  }

  /**
   * Continues a turn that was cut off when its process was killed, or that waits for a human. Calls that may run again
   * pass all gates again; for every other call the model is told that its outcome is unknown. When nothing is left to
   * do, it resolves with the last answer.
   *
   * @param options.tool_use_id the call that the answer is for, as `waiting_for` names it, with `approval` (yes or no, to a
   *   permission or a plan) or `answers` (to questions).
   * @throws TenterhookError `not_waiting` when another call waits or this one was answered before; `invalid_answer`; and as
   *   `run` does. Then nothing is approved.
   */
  async continue(options: ContinueOptions = {}): Promise<AgentResult> {
    checkRunOptions("continue", options);
    this.#mustBeFree("another task");
    const { signal, onItem, close, ...answer } = options;
    const { waiting, unheard } = this.#session.pending;
    const answers = checkAnswer(unheard === undefined ? waiting : undefined, answer);
    this.#clientTurns = 0;
    return this.#drive({ type: "continue", answers }, withoutUndefined({ signal, onItem, close }));
  }

  /** True when a turn was cut off, has not begun, or waits for a human: `continue()` goes on with it. */
  get unfinished(): boolean {
    return isUnfinished(this.#session);
  }

  /** What a human must answer before `continue()` can go on. */
  get waiting_for(): WaitingFor | undefined {
    const { waiting, unheard } = this.#session.pending;
    return waiting === undefined || unheard !== undefined ? undefined : shownWaiting(waiting);
  }

  /** Fires a Checkpoint event. Returns its id, from which a fork can begin, if a store has the conversation. */
  async checkpoint(): Promise<string | undefined> {
    return checkpoint(this.#session, "manual", this.#session.turn);
  }

  /**
   * Replaces what the model has seen by a summary; the transcript keeps everything. Returns false when hooks refuse or
   * there is too little to shorten.
   *
   * @throws TenterhookError `agent_busy` during a run, where the option `compaction` does it, and while it is already
   *   under way; `agent_closed`; `store_failed` when the summary cannot be stored yet: the model sees it, and it is
   *   stored before the next message.
   */
  async compact(options: Pick<RunOptions, "signal"> = {}): Promise<boolean> {
    checkRunOptions("compact", options);
    const { signal } = options;
    this.#mustBeFree("a task");
    const compacted = whileClaimed(this.#session, async () => {
      await this.#lifetime.open(signal);
      const lifetime = this.#session.lifetime.signal;
      const ended = signal === undefined ? lifetime : AbortSignal.any([signal, lifetime]);
      try {
        return await compact(this.#session, "manual", { turn: undefined, signal: ended });
      } catch (error) {
        throw outsideOfTurn(error);
      }
    });
    this.#compacting = compacted.then(
      () => {},
      () => {},
    );
    try {
      return await compacted;
    } finally {
      this.#compacting = undefined;
    }
  }

  /** The conversation so far: frozen messages, each with an id. */
  transcript(): readonly AgentMessage[] {
    return this.#session.conversation.transcript();
  }

  /** Ends the session: interrupts what is running and fires SessionEnd. A second call waits for the first. */
  close(reason = "exit"): Promise<void> {
    this.#closed ??= this.#close(reason);
    return this.#closed;
  }

  async #drive(input: TurnInput, options: RunOptions): Promise<AgentResult> {
    this.#mustBeFree("another task");
    const { onItem, close = false } = options;
    const unlisten = onItem === undefined ? () => {} : listen(this.#session, onItem);
    const run = openRun(options.signal);
    this.#run = run;
    const running = whileClaimed(this.#session, async () => {
      await this.#lifetime.openFor(run.controller.signal, input);
      return runTurns(this.#session, input, run.controller.signal);
    }).then((result) => this.#tellDone(result, close));
    this.#running = running;
    try {
      return await running;
    } finally {
      this.#running = undefined;
      this.#run = undefined;
      run.forget();
      if (close) await this.close("error");
      unlisten();
    }
  }

  #mustBeOpen(): void {
    if (this.#closed === undefined) return;
    throw new TenterhookError("agent_closed", `The agent ${this.agent_id} was closed.`);
  }

  #mustBeFree(other: string): void {
    this.#mustBeOpen();
    if (this.#running === undefined && this.#compacting === undefined) return;
    const doing = this.#running === undefined ? "shortening its conversation" : `working on ${other}`;
    throw new TenterhookError("agent_busy", `The agent ${this.agent_id} is ${doing}.`);
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
    await this.#lifetime.end(reason);
    if (result !== undefined) emit(session, { type: "done", result });
    this.#lifetime.silence();
  }
}
