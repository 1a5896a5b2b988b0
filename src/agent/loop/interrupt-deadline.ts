import type { Clock } from "../../core/base/clock.ts";
import type { FireOptions } from "../../core/decide/event-scope.ts";
import type { AgentSession, Turn } from "../session/session.ts";

/** How long the hooks that hear of an interrupt and of what it ended may take, all together. */
const MILLISECONDS = 300;

/** The same for Error hooks, which hear of those that were ended then. */
const ERROR_MILLISECONDS = 450;

/** What ends those hooks: one deadline for all of them. */
export interface LastWords {
  readonly signal: AbortSignal;
  readonly errors: AbortSignal;
}

/**
 * What goes with an event that must be heard though its turn was ended. After an interrupt its hooks share one deadline,
 * and are ended when it is over; when a hook ended the turn, they have their own time until somebody interrupts them.
 */
export function afterEnd(session: AgentSession, turn: Turn, options: FireOptions): FireOptions {
  return { ...options, signal: turn.run.aborted ? lastWords(session, turn).signal : turn.run };
}

/** What ends the hooks that hear of an interrupt; their time begins with the first who asks. */
export function lastWords({ clock }: AgentSession, turn: Turn): LastWords {
  turn.lastWords ??= begin(clock);
  return turn.lastWords;
}

/** Nobody takes the deadlines back: they are for hooks that run beside their events too. */
function begin(clock: Clock): LastWords {
  return {
    signal: deadline(clock, MILLISECONDS),
    errors: deadline(clock, ERROR_MILLISECONDS),
  };
}

function deadline(clock: Clock, milliseconds: number): AbortSignal {
  const controller = new AbortController();
  clock.after(milliseconds, () => controller.abort(new Error("The turn was interrupted.")));
  return controller.signal;
}
