import { ignore } from "../../core/base/error-text.ts";
import { TenterhookError } from "../../core/base/errors.ts";
import { internals } from "../../core/internals.ts";
import { removeEnvFile } from "../../node/env-file.ts";
import { raceAbort } from "../../node/process/deadline.ts";
import { killMarkedNow, terminateMarked } from "../../node/process/terminate.ts";
import type { TurnInput } from "../items.ts";
import { modelName } from "../model/agent-model.ts";
import { sourceOf } from "../options.ts";
import { checkResumedModel, resolveModel } from "./model-calls/switch.ts";
import { closeAtExit } from "./process-exit.ts";
import { resumeScript } from "./resume-script.ts";
import { settleActivity } from "./session/activity.ts";
import { saveBetweenRuns } from "./session/claim.ts";
import { betweenTurns, endedBy, fireBetweenTurns } from "./session/fire.ts";
import { listen } from "./session/listeners.ts";
import { watchMemory } from "./session/memory-update.ts";
import { saveUnheard } from "./session/save-status.ts";
import type { AgentSession } from "./session/session.ts";
import type { Toolbox } from "./session/state.ts";
import { openOwnHooks } from "./skills/load-skill.ts";
import { deactivate } from "./skills/own-hooks.ts";
import { tellUnknownTools } from "./unknown-tools.ts";

/** How long opening a session may go on after an interrupt. */
const OPENING_MILLISECONDS = 300;

/** The time of a session from SessionStart to SessionEnd. */
export class SessionLifetime {
  private readonly session: AgentSession;
  private readonly close: (reason: string) => Promise<void>;
  private opened: Promise<void> | undefined;
  /** When SessionStart was first fired, on the monotonic clock: SessionEnd follows it. */
  private started: number | undefined;
  private forget = (): void => {};
  private unlisten: (() => void) | undefined;

  /** @param close closes the agent when the process ends first. */
  constructor(session: AgentSession, close: (reason: string) => Promise<void>) {
    this.session = session;
    this.close = close;
  }

  /** Opens the session for a run. An interrupt is no error here: the turn reports it. */
  async openFor(run: AbortSignal, input: TurnInput): Promise<void> {
    const { clock } = this.session;
    try {
      await raceAbort(this.open(run, input), run, { clock, milliseconds: OPENING_MILLISECONDS });
    } catch (error) {
      if (!run.aborted || error !== run.reason) throw error;
    }
  }

  /** Opens the session once. An opening that failed or was interrupted is repeated by the next call. */
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

  /** Waits for subagents, saves what is left, ends programs, then fires SessionEnd. No run may be under way. */
  async end(reason: string): Promise<void> {
    const { session } = this;
    const { subagents, storage, toolbox } = session;
    await Promise.all([...subagents.running, ...subagents.background]);
    // The last chance for what the store failed to store, which was reported then.
    if (storage.unsaved.length > 0) await saveBetweenRuns(session).catch(() => {});
    const { mark } = toolbox.programs;
    if (mark !== undefined) await terminateMarked(mark);
    await this.fireEnd(reason);
    deactivate(session);
    dropEnvFile(toolbox);
    await settleActivity(session);
  }

  /** Removes the listener of the agent's options. */
  silence(): void {
    this.unlisten?.();
  }

  /** Returns false when it was interrupted. */
  private async start(signal: AbortSignal | undefined, input: TurnInput | undefined): Promise<boolean> {
    const { session } = this;
    const { options } = session;
    await options.ready?.();
    if (this.started === undefined && session.conversation.length === 0) await checkNew(session);
    session.model ??= await resolveModel(session, options.model);
    await openOwnHooks(session);
    if (options.onItem !== undefined) this.unlisten ??= listen(session, options.onItem);
    if (options.resume !== undefined) {
      await checkResumedModel(session, session.model, betweenTurns(session, signal));
      await resumeScript(session, session.model);
    }
    tellUnknownTools(session);
    await watchMemory(session);
    if (signal?.aborted === true) return false;
    this.started ??= session.clock.monotonic();
    this.forget();
    const endNow = (reason: string): void => {
      ignore(this.fireEnd(reason));
      endPrograms(session.toolbox);
    };
    this.forget = closeAtExit({ close: this.close, endNow });
    // Hooks may be slow, and the input must not be lost when the process is killed meanwhile.
    if (input !== undefined && internals(session.hooks).wants("SessionStart"))
      await saveUnheard(session, input);
    return fireStart(session, signal);
  }

  /** Fires SessionEnd once, after SessionStart. At process exit only what hooks do synchronously happens. */
  private async fireEnd(reason: string): Promise<void> {
    this.forget();
    const { session, started } = this;
    if (started === undefined) return;
    this.started = undefined;
    const duration_ms = session.clock.monotonic() - started;
    session.identity.turn_id = undefined;
    await fireBetweenTurns(session, "SessionEnd", { reason, duration_ms });
  }
}

/** Fires SessionStart. What hooks say for the model waits for the first turn. Returns false when it was interrupted. */
async function fireStart(session: AgentSession, signal: AbortSignal | undefined): Promise<boolean> {
  const { options, model, inbox } = session;
  const { profile, config } = options;
  const decision = await fireBetweenTurns(
    session,
    "SessionStart",
    {
      source: sourceOf(options),
      ...(model === undefined ? {} : { model: modelName(model) }),
      profile,
      config,
    },
    signal,
  );
  if (signal?.aborted === true) return false;
  if (decision.abort !== undefined) inbox.abort = endedBy(decision.abort, "SessionStart");
  // There is no turn yet that the text could end with.
  for (const item of decision.context)
    inbox.context.push(item.lifetime === "turn" ? { ...item, lifetime: "session" } : item);
  return true;
}

/**
 * Refuses a new agent whose id has a stored conversation: the two would be mixed. Generated ids are new.
 *
 * @throws TenterhookError `agent_exists`; what the store throws.
 */
async function checkNew({ options, identity }: AgentSession): Promise<void> {
  const { store, session_id, agent_id = session_id, resume, transcript } = options;
  if (agent_id === undefined || resume !== undefined || transcript !== undefined) return;
  // The first agent of a session mostly has the session's id, and then no other session has an agent with that id.
  const stored = await store?.load?.(
    identity.agent_id,
    identity.agent_id === identity.session_id ? { session_id: identity.session_id } : {},
  );
  if (stored === undefined || stored.messages.length === 0) return;
  throw new TenterhookError("agent_exists", `There is an agent "${identity.agent_id}" already.`, {
    hint: "To continue its conversation use Agent.resume; for a new one choose another id.",
  });
}

/** Ends the programs of a session that are left, and removes its variables, synchronously. */
function endPrograms(toolbox: Toolbox): void {
  dropEnvFile(toolbox);
  const { mark } = toolbox.programs;
  if (mark !== undefined) killMarkedNow(mark);
}

function dropEnvFile({ programs }: Toolbox): void {
  if (programs.env_file !== undefined) removeEnvFile(programs.env_file);
  programs.env_file = undefined;
}
