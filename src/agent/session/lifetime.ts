import { ignore } from "../../core/base/error-text.ts";
import { killMarkedNow, terminateMarked } from "../../node/process/terminate.ts";
import { mustBeNew } from "../conversation/must-be-new.ts";
import { settleRollout } from "../conversation/rollout.ts";
import { raceAbort } from "../loop/abort.ts";
import type { TurnInput } from "../loop/turn-input.ts";
import { resolveModel } from "../model/switch.ts";
import { playOn } from "../resume/play-on.ts";
import { watchMemory } from "../tool-calls/memory-update.ts";
import { keepBetweenRuns } from "./claim.ts";
import { listen } from "./hook-items.ts";
import { closeAtExit } from "./process-exit.ts";
import { keepUnheard } from "./save-status.ts";
import type { AgentSession } from "./session.ts";
import { tellSessionEnd, tellSessionStart } from "./session-events.ts";

/** How long a session that is being opened may take to end that, once it is interrupted. */
const OPENING_MILLISECONDS = 300;

/** The time of a session from SessionStart to SessionEnd. */
export class SessionLifetime {
  private readonly session: AgentSession;
  /** Closes the agent, when the process ends before somebody does. */
  private readonly close: (reason: string) => Promise<void>;
  private opened: Promise<void> | undefined;
  /** When SessionStart was first fired: SessionEnd follows it. */
  private started: number | undefined;
  private forget = (): void => {};
  private unlisten: (() => void) | undefined;

  constructor(session: AgentSession, close: (reason: string) => Promise<void>) {
    this.session = session;
    this.close = close;
  }

  /** Opens it for a run; an interrupt is for the turn to tell, and what is slow to open goes on opening beside it. */
  async openFor(run: AbortSignal, input: TurnInput): Promise<void> {
    const { clock } = this.session;
    try {
      await raceAbort(this.open(run, input), run, { clock, milliseconds: OPENING_MILLISECONDS });
    } catch (error) {
      if (!run.aborted || error !== run.reason) throw error;
    }
  }

  /** SessionStart, once. What failed or was interrupted is tried again by whoever comes next. */
  open(signal?: AbortSignal, input?: TurnInput): Promise<void> {
    this.opened ??= this.start(signal, input).then(
      (started) => {
        if (!started) this.opened = undefined;
      },
      (error: unknown) => {
        this.opened = undefined;
        throw error;
      },
    );
    return this.opened;
  }

  /** Brings what belongs to the session to its end, then SessionEnd. What it was working on must be over. */
  async end(reason: string): Promise<void> {
    const { session } = this;
    const children = [...session.children, ...session.backgroundChildren];
    if (children.length > 0) await Promise.all(children);
    // The last chance for what a store could not keep; that it still can't has been told.
    if (session.unkept.length > 0) await keepBetweenRuns(session).catch(() => {});
    const { mark } = session.programs;
    if (mark !== undefined) await terminateMarked(mark);
    await this.tellEnd(reason);
    await settleRollout(session);
  }

  /** Whoever heard of the whole session hears no more. */
  silence(): void {
    this.unlisten?.();
  }

  /** False when it was interrupted. */
  private async start(signal: AbortSignal | undefined, input: TurnInput | undefined): Promise<boolean> {
    const { session } = this;
    const { options } = session;
    if (this.started === undefined && session.conversation.length === 0) await mustBeNew(session);
    session.model ??= await resolveModel(session, options.model);
    if (options.onItem !== undefined) this.unlisten ??= listen(session, options.onItem);
    if (options.resume !== undefined) await playOn(session, session.model);
    await watchMemory(session);
    if (signal?.aborted === true) return false;
    this.started ??= session.clock.monotonic();
    this.forget();
    this.forget = closeAtExit({
      close: this.close,
      endNow: (reason) => {
        ignore(this.tellEnd(reason));
        if (session.programs.mark !== undefined) killMarkedNow(session.programs.mark);
      },
    });
    // Hooks may take their time, and what was said is not to be lost when they are killed over it.
    if (input !== undefined && session.hooks.wants("SessionStart")) await keepUnheard(session, input);
    return tellSessionStart(session, signal);
  }

  /** SessionEnd, once, after SessionStart. At the end of the process only what hooks do at once is done. */
  private async tellEnd(reason: string): Promise<void> {
    this.forget();
    const { started } = this;
    if (started === undefined) return;
    this.started = undefined;
    await tellSessionEnd(this.session, reason, started);
  }
}
