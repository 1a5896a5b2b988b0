import { isoTime } from "../base/clock.ts";
import { errorMessage } from "../base/error-text.ts";
import { TenterhookError } from "../base/errors.ts";
import { frozenCopy, frozenJson, isRecord } from "../base/json.ts";
import type { GivenContext, GivenEvent } from "./event-parts.ts";
import type { FieldKind } from "./event-table.ts";
import type { KnownEvent } from "./known-events.ts";
import type { AnyEvent } from "./payloads.ts";

/** What the engine adds to it. */
export interface Stamp {
  readonly event_id: string;
  readonly seq: number;
  readonly time: number;
  /** True in a turn that a hook started. */
  readonly in_hook_turn?: boolean;
  /** Of an Error event: which of its type it is. */
  readonly occurrence?: number | undefined;
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
  context: { readonly session_id?: unknown; readonly cwd?: unknown },
  fields: GivenEvent["fields"],
  known: KnownEvent,
): asserts context is GivenContext {
  const { session_id, cwd } = context;
  if (typeof session_id !== "string" || session_id === "")
    throw missing(known, "session_id", "text", session_id);
  if (typeof cwd !== "string" || cwd === "") throw missing(known, "cwd", "text", cwd);
  for (const { field, kind } of known.required) {
    const value = fields[field];
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
export function buildEvent({ context, fields }: GivenEvent, known: KnownEvent, stamp: Stamp): AnyEvent {
  const { session_id } = context;
  const event: { -readonly [Key in keyof AnyEvent]: AnyEvent[Key] } = {
    hook_event_name: known.name,
    event_id: stamp.event_id,
    seq: stamp.seq,
    timestamp: isoTime(stamp.time),
    session_id,
    agent_id: textOr(context.agent_id, session_id),
    agent_type: textOr(context.agent_type, "main"),
    cwd: context.cwd,
    host: textOr(context.host, "tenterhook"),
  };
  // A whole event has its context among its fields.
  if (context !== fields) {
    const { parent_agent_id, turn_id, transcript_path } = context;
    if (typeof parent_agent_id === "string") event.parent_agent_id = parent_agent_id;
    if (typeof turn_id === "string") event.turn_id = turn_id;
    if (typeof transcript_path === "string") event.transcript_path = transcript_path;
  }
  fill(event, fields, known);
  if (stamp.in_hook_turn === true) event.is_hook_input_turn = true;
  if (stamp.occurrence !== undefined) event.occurrence = stamp.occurrence;
  const { defaults } = known.row;
  if (defaults !== undefined) {
    for (const key of Object.keys(defaults)) event[key] ??= defaults[key];
  }
  return Object.freeze(event);
}

/** A literal filled by a loop: a spread, or fields added to a clone, cost up to fifty times as much on Node 20. */
function fill(event: Record<string, unknown>, from: GivenEvent["fields"], known: KnownEvent): void {
  for (const key of Object.keys(from)) {
    if (STAMPED.has(key)) continue;
    const given = from[key];
    const value = key === known.judged ? judgedCopy(given, known) : frozenCopy(given);
    if (value !== undefined) event[key] = value;
  }
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
