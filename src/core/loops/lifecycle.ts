/// <reference lib="esnext.disposable" preserve="true" />
import type { Clock } from "../base/clock.ts";
import { errorMessage, stackTrace } from "../base/error-text.ts";
import type { Decision } from "../decide/decision.ts";
import type { FireOptions } from "../decide/fired-event.ts";
import type { EventName } from "../events/event-table.ts";
import type { EventContext, EventFields, EventInput } from "../events/payloads.ts";

type Fire = (event: EventInput<EventName>, options?: FireOptions) => Promise<Decision>;
/** What a lifecycle function takes: the fields of its event. */
export type LifecycleInput<Name extends EventName> = EventContext & EventFields[Name];

/** A session of your own loop. */
export interface Session extends AsyncDisposable {
  /** The decision of the SessionStart hooks. */
  readonly decision: Decision;
  /** Fires SessionEnd with the session's duration; a second call returns the first decision. `await using` calls it. */
  end(reason?: string): Promise<Decision>;
}

/** What `hooks.error` takes: fields of the Error event, or the exception they are read from. */
export type ErrorInput = EventContext &
  Partial<EventFields["Error"]> & {
    readonly error?: unknown;
  };

/** The lifecycle events as functions, for loops that are not ours. */
export interface Lifecycle {
  /** Starts a session: fires SessionStart, and SessionEnd when it ends. */
  session(input: LifecycleInput<"SessionStart">, options?: FireOptions): Promise<Session>;
  /** Tells of an error; give the exception as `error`, or error_type and error_message. */
  error(input: ErrorInput, options?: FireOptions): Promise<Decision>;
  checkpoint(input: LifecycleInput<"Checkpoint">, options?: FireOptions): Promise<Decision>;
  /** Asks whether the model may be switched: look at `action`. */
  modelSwitch(input: LifecycleInput<"ModelSwitch">, options?: FireOptions): Promise<Decision>;
  memoryUpdate(input: LifecycleInput<"MemoryUpdate">, options?: FireOptions): Promise<Decision>;
}

/** Fires SessionStart. The session it returns fires SessionEnd. */
export async function startSession(
  fire: Fire,
  clock: Clock,
  input: LifecycleInput<"SessionStart">,
  options: FireOptions | undefined,
): Promise<Session> {
  const started = clock.monotonic();
  const decision = await fire({ ...input, hook_event_name: "SessionStart" }, options);
  const { session_id, cwd, agent_id, agent_type, host, transcript_path } = input;
  const whose: EventContext = {
    session_id,
    cwd,
    agent_id,
    agent_type,
    host,
    transcript_path,
  };
  let ended: Promise<Decision> | undefined;
  const end = (reason = "exit"): Promise<Decision> => {
    const duration_ms = clock.monotonic() - started;
    ended ??= fire({ ...whose, hook_event_name: "SessionEnd", reason, duration_ms });
    return ended;
  };
  const dispose = async (): Promise<void> => {
    await end();
  };
  return { decision, end, [Symbol.asyncDispose]: dispose };
}

export function errorEvent({ error, ...input }: ErrorInput): EventInput<"Error"> {
  const { name = "Error" } = error instanceof Error ? error : {};
  const { error_type = name, error_message = errorMessage(error) } = input;
  return { ...stackTrace(error), ...input, error_type, error_message, hook_event_name: "Error" };
}
