import { TenterhookError } from "../../core/base/errors.ts";
import type { DecodedEvent, NativePayload } from "../adapter.ts";
import { claudeEvent } from "./events.ts";

/**
 * Converts a payload of Claude Code to our event. Fields we do not know stay as they are. Missing fields stay missing:
 * the engine reports them, which refuses on a gate.
 *
 * @throws TenterhookError `invalid_event` when the payload has no event name.
 */
export function decodeClaude(payload: NativePayload): DecodedEvent {
  const { hook_event_name: native, session_id, cwd, agent_id, prompt_id } = payload;
  if (typeof native !== "string" || native === "")
    throw new TenterhookError("invalid_event", "The payload of Claude Code has no hook_event_name.");
  const { event, adds, renames = {} } = claudeEvent(native);
  const complete = Object.hasOwn(COMPLETED, native) ? COMPLETED[native] : undefined;
  const fields: Record<string, unknown> = { ...payload, ...adds };
  for (const [from, to] of Object.entries(renames)) {
    fields[to] = fields[from];
    delete fields[from];
  }
  return {
    ...fields,
    ...complete?.(payload),
    hook_event_name: event ?? ownName(native),
    // The engine reports missing fields in the same words for every agent.
    session_id: typeof session_id === "string" ? session_id : "",
    cwd: typeof cwd === "string" ? cwd : "",
    host: "claude",
    native: payload,
    ...(typeof agent_id === "string" && typeof session_id === "string"
      ? { parent_agent_id: session_id }
      : {}),
    ...(typeof prompt_id === "string" ? { turn_id: prompt_id } : {}),
  };
}

/** Fields that our event needs and the payload has in another form. */
const COMPLETED: Readonly<Record<string, (payload: NativePayload) => Readonly<Record<string, unknown>>>> = {
  StopFailure: ({ error, error_details, last_assistant_message }) => ({
    error_type: textOf(error) ?? "unknown",
    error_message: textOf(error_details) ?? textOf(last_assistant_message) ?? textOf(error) ?? "unknown",
  }),
  Notification: ({ message, title }) => ({ message: textOf(message) ?? textOf(title) ?? "" }),
  PreModelSwitch: () => ({ triggered_by: "user" }),
};

/** The name of an event that only Claude Code has, without characters that a name can't have. */
export function ownName(native: string): `${typeof OWN}${string}` {
  return `${OWN}${native.replaceAll(/^[^A-Za-z]+|[^\w.-]/g, "") || "Unnamed"}`;
}

/** Claude Code's name of an event that only it has; `undefined` for any other event. */
export function nativeOf(event: string): string | undefined {
  return event.startsWith(OWN) ? event.slice(OWN.length) : undefined;
}

const OWN = "claude:";

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
