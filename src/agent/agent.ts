/// <reference lib="esnext.disposable" preserve="true" />
import { fromCaller, TenterhookError } from "../core/base/errors.ts";
import { withoutUndefined } from "../core/base/json.ts";
import type { Usage } from "../core/contracts/transcript.ts";
import type { HookInput } from "../core/decide/decision.ts";
import type { Hooks } from "../core/hooks.ts";
import type { AnySchema } from "../shared/contracts/schema.ts";
import { checkHookInput, checkModel, checkRunOptions } from "./checks/run-options.ts";
import type { AgentItem, AgentResult, ItemListener, OutputResult, SteerResult } from "./items.ts";
import type { AgentMessage } from "./messages/messages.ts";
import { type Prompt, readPrompt } from "./messages/prompt-input.ts";
import type { ModelChoice } from "./model/agent-model.ts";
import { sessionUsage } from "./model/usage.ts";
import type { AgentParts } from "./options.ts";
import { switchModel } from "./run/model-calls/switch.ts";
import { newSession } from "./run/open-session.ts";
import type { RunOptions } from "./run/run.ts";
import { checkAnswer, type HumanAnswer, type NoAnswer, shownWaiting } from "./run/session/answers.ts";
import { checkpoint } from "./run/session/checkpoint.ts";
import { betweenTurns } from "./run/session/fire.ts";
import { streamItems } from "./run/session/listeners.ts";
import { readFormat } from "./run/session/output-format.ts";
import { type AgentSession, isUnfinished } from "./run/session/session.ts";
import { startTask } from "./subagents/start-task.ts";
import type { WaitingFor } from "./waiting-for.ts";
import { AgentWork } from "./work.ts";

/** Options of `continue`: those of a run, and an answer to what the agent waits for. */
export type ContinueOptions = RunOptions & (HumanAnswer | NoAnswer);

/** Options of a stream, whose reader is the listener. */
export type StreamOptions = Omit<RunOptions, "onItem">;

const NOBODY_LISTENS = "Nobody listens any more.";

/** The agent without defaults: `Agent` of `tenterhook/agent` gives it our parts. */
export class Agent implements AsyncDisposable {
  readonly #session: AgentSession;
  readonly #work: AgentWork;

  /** @throws TenterhookError for unknown options and invalid values. */
  constructor(options: AgentParts) {
    this.#session = fromCaller(new.target, () => newSession(options, startTask));
    this.#work = new AgentWork(this.#session);
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

  /** The hook set that every step passes, to be observed or added to. */
  get hooks(): Hooks {
    return this.#session.hooks;
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
  run<Schema extends AnySchema>(
    task: Prompt,
    options: RunOptions & { readonly output: Schema },
  ): Promise<OutputResult<Schema>>;
  run(task: Prompt, options?: RunOptions): Promise<AgentResult>;
  async run(task: Prompt, options: RunOptions = {}): Promise<AgentResult> {
    const input = readPrompt(task);
    checkRunOptions("run", options);
    return await this.#work.start(input, options, readFormat(options.output, "run"));
  }

  /**
   * Works on a task and yields everything that happens; the last item is `done`. The first run includes what hooks do
   * at the start of the session, a run with `close` what they do at its end. Leaving the loop early interrupts the
   * run.
   *
   * @throws TenterhookError as `run` does.
   */
  stream(task: Prompt, options: StreamOptions = {}): AsyncGenerator<AgentItem, void, void> {
    const start = async (onItem: ItemListener): Promise<AgentResult> => {
      checkRunOptions("stream", options);
      return this.run(task, { ...options, onItem });
    };
    return streamItems(start, () => this.interrupt(NOBODY_LISTENS));
  }

  /**
   * Gives the running turn a message of the user: it passes UserPromptSubmit hooks and joins the conversation before the next
   * request to the model, after the results of the calls that run now. If the model has just answered, the turn goes on with it.
   *
   * @returns what became of it, as soon as that is known.
   * @throws TenterhookError `invalid_option` for an empty message; `agent_closed`.
   */
  async steer(message: Prompt): Promise<SteerResult> {
    return await this.#work.steer(readPrompt(message, "steer"));
  }

  /**
   * Gives the agent text as a hook would: `{ hook, text }`, where `hook` is the name that the turn shows. It starts a turn
   * of its own, after the current one. Resolves when that turn, or the run it joined, is over. When that run is
   * interrupted, the text follows the next one.
   *
   * @throws TenterhookError `invalid_option` for empty text; `hook_turn_limit` when hooks and clients have started
   *   too many turns; `agent_closed`.
   */
  async submitHookInput(input: HookInput): Promise<AgentResult> {
    checkHookInput(input);
    return await this.#work.submit(input);
  }

  /**
   * Ends the current run: its model call, tools and hooks. The run resolves with `cancelled`; another one can follow.
   */
  interrupt(reason = "interrupted"): void {
    this.#work.interrupt(reason);
  }

  /**
   * Uses another model from the next call on.
   *
   * @throws TenterhookError `model_switch_denied` with the hook's reason; `model_unavailable`; `invalid_option` for what is
   *   no model; `agent_closed`.
   */
  async switchModel(model: ModelChoice, reason?: string): Promise<void> {
    this.#work.mustBeOpen();
    checkModel(model);
    await this.#work.lifetime.open();
    const why = { triggered_by: "user", reason } as const;
    const firing = this.#session.turn?.firing ?? betweenTurns(this.#session, undefined);
    const refusal = await switchModel(this.#session, model, why, firing);
    if (refusal !== undefined) throw new TenterhookError("model_switch_denied", refusal);
  }

  /**
   * Continues a turn that was cut off when its process was killed, or that waits for a human. Calls that may run again
   * pass all gates again; for every other call the model reads that its outcome is unknown. When nothing is left to
   * do, it resolves with the last answer.
   *
   * @param options.tool_use_id the call that the answer is for, as `waiting_for` names it, with `approval` (yes or no, to a
   *   permission or a plan) or `answers` (to questions).
   * @throws TenterhookError `not_waiting` when another call waits or this one was answered before; `invalid_answer`; and as
   *   `run` does. Then nothing is approved.
   */
  continue<Schema extends AnySchema>(
    options: ContinueOptions & { readonly output: Schema },
  ): Promise<OutputResult<Schema>>;
  continue(options?: ContinueOptions): Promise<AgentResult>;
  async continue(options: ContinueOptions = {}): Promise<AgentResult> {
    checkRunOptions("continue", options);
    this.#work.mustBeFree("another task");
    const { signal, onItem, close, limits, output, ...answer } = options;
    const format = readFormat(output, "continue");
    const { waiting, unheard } = this.#session.pending;
    const answers = checkAnswer(unheard === undefined ? waiting : undefined, answer);
    const given = withoutUndefined({ signal, onItem, close, limits });
    return await this.#work.start({ type: "continue", answers }, given, format);
  }

  /**
   * Continues as `continue` does and yields everything that happens, as `stream` does.
   *
   * @throws TenterhookError as `continue` does.
   */
  continueStream(
    options: StreamOptions & (HumanAnswer | NoAnswer) = {},
  ): AsyncGenerator<AgentItem, void, void> {
    const start = async (onItem: ItemListener): Promise<AgentResult> => {
      checkRunOptions("continueStream", options);
      return this.continue({ ...options, onItem });
    };
    return streamItems(start, () => this.interrupt(NOBODY_LISTENS));
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
   *   under way; `agent_closed`; `model_switch_denied` for a first model that hooks refuse; `store_failed` when the summary cannot be stored yet: the model sees it, and it is
   *   stored before the next message.
   */
  async compact(options: Pick<RunOptions, "signal" | "onItem"> = {}): Promise<boolean> {
    checkRunOptions("compact", options);
    return this.#work.compact(options);
  }

  /** The conversation so far: frozen messages, each with an id. */
  transcript(): readonly AgentMessage[] {
    return this.#session.conversation.transcript();
  }

  /** Ends the session: interrupts what is running and fires SessionEnd. A second call waits for the first. */
  close(reason = "exit"): Promise<void> {
    return this.#work.close(reason);
  }

  /** Closes it: `await using agent = new Agent({ … })`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
