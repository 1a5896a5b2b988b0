import { isRecord } from "../../core/base/json.ts";
import { repeatedKey } from "../../core/base/json-keys.ts";
import { HookFailureError } from "../../core/events/hook-failure-error.ts";
import type { Outcome } from "../../core/events/outcomes.ts";
import type { AnyEvent } from "../../core/events/payloads.ts";
import { decodeReply, readReplyValue } from "../reply/read-reply.ts";

/** The line that asks: the event's JSON with the id of the request in it. */
export function requestLine(event: AnyEvent, id: string): string {
  return `${JSON.stringify({ ...event, request_id: id })}\n`;
}

/**
 * Reads the line that answers: a JSON object of any dialect of replies, with the id of the request in it.
 *
 * @throws HookFailureError `bad_output` for anything else, an answer to another request above all.
 */
export function readAnswer(line: Uint8Array, id: string, event: AnyEvent): readonly Outcome[] {
  const text = decodeReply(line);
  const value = parsed(text);
  if (!isRecord(value))
    throw new HookFailureError("bad_output", "It answered something that is no JSON object.");
  const twice = repeatedKey(text);
  if (twice !== undefined)
    throw new HookFailureError("bad_output", `The answer gives ${JSON.stringify(twice)} twice.`);
  const { request_id, ...reply } = value;
  if (request_id === undefined) {
    throw new HookFailureError("bad_output", "The answer lacks the request_id that the request had.");
  }
  if (request_id !== id) {
    throw new HookFailureError("bad_output", "The answer has the request_id of another request.");
  }
  return readReplyValue(reply, event);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
