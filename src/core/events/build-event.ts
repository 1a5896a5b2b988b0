import { isoTime } from "../base/clock.ts";
import { errorMessage } from "../base/error-text.ts";
import { TenterhookError } from "../base/errors.ts";
import { frozenCopy, frozenJson, isRecord } from "../base/json.ts";
import type { FieldKind } from "./event-row.ts";
import type { KnownEvent } from "./known-events.ts";
import type { AnyEvent, CommonFields } from "./payloads.ts";

/** An event as a caller gives it, with the two fields every event must have. */
export type GivenEvent = Readonly<Record<string, unknown>> & {
  readonly session_id: string;
  readonly cwd: string;
};

type AgentFields = Pick<CommonFields, "agent_id" | "agent_type">;

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
 * Checks the fields an event must have.
 *
 * @throws TenterhookError `invalid_event` that names the field.
 */
export function checkEvent(
  given: Readonly<Record<string, unknown>>,
  known: KnownEvent,
): asserts given is GivenEvent {
  for (const field of ["session_id", "cwd"])
    if (typeof given[field] !== "string" || given[field] === "")
      throw missing(known, field, "text", given[field]);
  for (const { field, kind } of known.required) {
    const value = given[field];
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
export function buildEvent(given: GivenEvent, known: KnownEvent, stamp: Stamp): AnyEvent {
  const event: { -readonly [Key in keyof AnyEvent]: AnyEvent[Key] } = {
    hook_event_name: known.name,
    event_id: stamp.event_id,
    seq: stamp.seq,
    timestamp: isoTime(stamp.time),
    session_id: given.session_id,
    ...agentOf(given),
    cwd: given.cwd,
    host: textOr(given.host, OWN_HOST),
  };
  for (const key of Object.keys(given)) {
    if (STAMPED.has(key)) continue;
    const value = key === known.judged ? judgedCopy(given[key], known) : frozenCopy(given[key]);
    if (value !== undefined) event[key] = value;
  }
  if (stamp.in_hook_turn === true) event.is_hook_input_turn = true;
  if (stamp.occurrence !== undefined) event.occurrence = stamp.occurrence;
  for (const [key, value] of Object.entries(known.row.defaults ?? {})) event[key] ??= value;
  return Object.freeze(event);
}

const OWN_HOST = "tenterhook";

/** Scripts take an event with an agent_id for one of a subagent, so a foreign agent's event gets none of ours. */
function agentOf({ agent_id, agent_type, session_id, host }: GivenEvent): AgentFields {
  const isOwn = typeof host !== "string" || host === OWN_HOST;
  const id = typeof agent_id === "string" ? agent_id : isOwn ? session_id : undefined;
  const type = typeof agent_type === "string" ? agent_type : isOwn ? "main" : undefined;
  if (id === undefined) return type === undefined ? {} : { agent_type: type };
  return type === undefined ? { agent_id: id } : { agent_id: id, agent_type: type };
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

const KIND_NAMES = { text: "a string", object: "an object", list: "a list", anything: "given" } as const;

function missing(known: KnownEvent, field: string, kind: FieldKind, value: unknown): TenterhookError {
  const problem = value === undefined ? "is missing" : `must be ${KIND_NAMES[kind]}`;
  return new TenterhookError("invalid_event", `${known.name}: ${field} ${problem}.`);
}
