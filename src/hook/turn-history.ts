import type { Adapter, DecodedEvent } from "../adapters/adapter.ts";
import { isRecord } from "../core/base/json.ts";
import type { Usage } from "../core/contracts/transcript.ts";
import type { TurnSoFar } from "../core/session/state.ts";
import { journalFile, journalFolder, lastRotated } from "../journal/files.ts";
import { readRecord, recordedId, recordedText } from "../journal/record.ts";
import { endOfFile } from "../node/files/regular-file.ts";
import { createRedactor } from "../node/records/redact.ts";

/** What a process that sees one event must know of the turn: the fields of the event, and what the ceilings need. */
interface TurnBefore {
  readonly continuations: number;
  readonly usage?: Usage;
  readonly turn_so_far: TurnSoFar;
}

/** Reads the turn of a stop from the journal, and from the agent's transcript where there is one. Never throws. */
export function turnBefore(
  event: DecodedEvent,
  adapter: Adapter,
  environment: NodeJS.ProcessEnv,
): TurnBefore {
  const { continuations, stops } = stopsBefore(event, environment);
  const turn = adapter.turn?.(event.native);
  const started = turn?.started_at ?? stops.at(-1)?.time;
  return {
    continuations,
    ...(turn === undefined ? {} : { usage: turn.usage }),
    turn_so_far: {
      ...(started === undefined ? {} : { milliseconds: Math.max(0, Date.now() - started) }),
      ...(turn === undefined
        ? {}
        : { given_before: (reason) => timesBefore(reason, stops, turn.tool_calls, environment) }),
    },
  };
}

/** A stop that hooks did not let happen. */
interface PreventedStop {
  readonly time: number;
  /** As it was recorded. */
  readonly reason: unknown;
}

/** How often in a row this reason was given last, with no tool call in between. */
function timesBefore(
  reason: string,
  stops: readonly PreventedStop[],
  toolCalls: readonly number[],
  environment: NodeJS.ProcessEnv,
): number {
  const recorded = recordedText(reason, createRedactor(environment));
  const lastCall = Math.max(...toolCalls);
  const other = stops.findIndex((stop) => stop.reason !== recorded || stop.time < lastCall);
  return other < 0 ? stops.length : other;
}

/** No more of a session's journal is read. */
const MOST_BYTES = 4_000_000;

/**
 * The stops of this turn that hooks prevented, the last one first, and how many there were. For an agent that says whether
 * it was continued (`stop_hook_active`), a turn begins with a prompt or with a stop for which that is false; for others,
 * after the last stop that no hook prevented.
 */
function stopsBefore(event: DecodedEvent, environment: NodeJS.ProcessEnv) {
  const stops: PreventedStop[] = [];
  let continuations: number | undefined;
  let prompt: unknown;
  const agent = event.agent_id ?? event.session_id;
  const records =
    event.stop_hook_active === false ? [] : sessionRecords(event.session_id, environment).toReversed();
  for (const { event: earlier, decision, time } of records) {
    if ((earlier.agent_id ?? event.session_id) !== agent) continue;
    if (earlier.hook_event_name === "UserPromptSubmit") prompt = earlier.prompt ?? "";
    if (earlier.hook_event_name !== event.hook_event_name) continue;
    const keep_going = decision?.keep_going;
    // Gemini CLI reports the reason that kept it going as a prompt, too.
    if (prompt !== undefined && !(isRecord(keep_going) && keep_going.reason === prompt)) break;
    prompt = undefined;
    if (isRecord(keep_going)) stops.push({ time: Date.parse(time), reason: keep_going.reason });
    else if (event.stop_hook_active !== true) break;
    // What was counted then need not be counted again, and may be too long ago to be read.
    if (typeof earlier.continuations === "number") continuations ??= stops.length + earlier.continuations;
    if (earlier.stop_hook_active === false) break;
  }
  return { stops, continuations: continuations ?? stops.length };
}

/** The session's records in the current journal file and in the one before it. */
function sessionRecords(sessionId: string, environment: NodeJS.ProcessEnv) {
  const session = recordedId(sessionId);
  const folder = journalFolder(environment);
  const rotated = lastRotated(folder, session);
  return [...(rotated === undefined ? [] : [rotated]), journalFile(folder, session)]
    .flatMap((file) => endOfFile(file, MOST_BYTES).split("\n"))
    .flatMap((line) => {
      const record = readRecord(line);
      return record?.session_id === session ? [record] : [];
    });
}
