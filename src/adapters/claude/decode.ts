import { TenterhookError } from "../../core/base/errors.ts";
import type { DecodedEvent, NativePayload } from "../adapter.ts";
import { claudeEvent } from "./events.ts";

/**
 * Our event for a payload of Claude Code. Fields it has and we do not stay as they are; what is missing is left for the
 * engine to miss, which on a gate is a refusal.
 *
 * @throws TenterhookError `invalid_event` for a payload without the name of an event.
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
    // The engine says what is missing, in the same words for every agent.
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

/** What our event must have and the payload has in another form. */
const COMPLETED: Readonly<Record<string, (payload: NativePayload) => Readonly<Record<string, unknown>>>> = {
  StopFailure: ({ error, error_details, last_assistant_message }) => ({
    error_type: textOf(error) ?? "unknown",
    error_message: textOf(error_details) ?? textOf(last_assistant_message) ?? textOf(error) ?? "unknown",
  }),
  Notification: ({ message, title }) => ({ message: textOf(message) ?? textOf(title) ?? "" }),
  PreModelSwitch: () => ({ triggered_by: "user" }),
};

/** The name of an event that only Claude Code has; characters a name can't have are left out. */
export function ownName(native: string): `${typeof OWN}${string}` {
  return `${OWN}${native.replaceAll(/^[^A-Za-z]+|[^\w.-]/g, "") || "Unnamed"}`;
}

/** What Claude Code calls an event that only it has; `undefined` for any other. */
export function nativeOf(event: string): string | undefined {
  return event.startsWith(OWN) ? event.slice(OWN.length) : undefined;
}

const OWN = "claude:";

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
