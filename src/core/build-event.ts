import { isoTime } from "./clock.ts";
import { errorMessage } from "./error-text.ts";
import { TenterhookError } from "./errors.ts";
import type { KnownEvent } from "./event-catalogue.ts";
import type { AnyEvent } from "./event-types.ts";
import type { FieldKind } from "./events.ts";
import { frozenCopy, frozenJson, isRecord } from "./json.ts";

/** An event as it comes from a caller: not looked at yet. */
export type RawEvent = Readonly<Record<string, unknown>> & {
  readonly session_id: string;
  readonly cwd: string;
};

/** What the engine adds to it. */
export interface Stamp {
  readonly event_id: string;
  readonly seq: number;
  readonly time: number;
}

/** What the engine writes itself, whatever the caller gave; and the one name that is not a plain field. */
const STAMPED: ReadonlySet<string> = new Set([
  "hook_event_name",
  "event_id",
  "seq",
  "timestamp",
  "session_id",
  "agent_id",
  "agent_type",
  "cwd",
  "host",
  "__proto__",
]);

/**
 * Looks at what every event must have.
 *
 * @throws TenterhookError `invalid_event` that names the field.
 */
export function checkEvent(
  input: Readonly<Record<string, unknown>>,
  known: KnownEvent,
): asserts input is RawEvent {
  if (typeof input.session_id !== "string" || input.session_id === "")
    throw missing(known, "session_id", "text", input.session_id);
  if (typeof input.cwd !== "string" || input.cwd === "") throw missing(known, "cwd", "text", input.cwd);
  for (const { field, kind } of known.required) {
    const value = input[field];
    const fits =
      kind === "text"
        ? typeof value === "string"
        : kind === "object"
          ? isRecord(value)
          : kind === "list"
            ? Array.isArray(value)
            : value !== undefined;
    if (!fits) throw missing(known, field, kind, value);
  }
}

/**
 * The event hooks see: complete, frozen all the way down, sharing nothing with the caller that the caller could
 * change.
 */
export function buildEvent(input: RawEvent, known: KnownEvent, stamp: Stamp): AnyEvent {
  const event: { -readonly [Key in keyof AnyEvent]: AnyEvent[Key] } = {
    hook_event_name: known.name,
    event_id: stamp.event_id,
    seq: stamp.seq,
    timestamp: isoTime(stamp.time),
    session_id: input.session_id,
    agent_id: textOr(input.agent_id, input.session_id),
    agent_type: textOr(input.agent_type, "main"),
    cwd: input.cwd,
    host: textOr(input.host, "tenterhook"),
  };
  // A literal filled by a loop: a spread, or fields added to a clone, cost up to fifty times as much on Node 20.
  for (const key of Object.keys(input)) {
    if (STAMPED.has(key)) continue;
    const value = key === known.judged ? judgedCopy(input[key], known) : frozenCopy(input[key]);
    if (value !== undefined) event[key] = value;
  }
  const { defaults } = known.row;
  if (defaults !== undefined) {
    for (const key of Object.keys(defaults)) event[key] ??= defaults[key];
  }
  return Object.freeze(event);
}

/** What a gate decides about must be seen whole: a part that hooks can't see would pass unseen. */
function judgedCopy(value: unknown, { name, judged }: KnownEvent): unknown {
  try {
    return frozenJson(value);
  } catch (cause) {
    throw new TenterhookError(
      "invalid_event",
      `${name}: ${judged} can't be judged: ${errorMessage(cause)}.`,
      { cause },
    );
  }
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}

function missing(known: KnownEvent, field: string, kind: FieldKind, value: unknown): TenterhookError {
  const problem = value === undefined ? "is missing" : `must be ${kind === "object" ? "an" : "a"} ${kind}`;
  return new TenterhookError("invalid_event", `${known.name}: ${field} ${problem}.`);
}
