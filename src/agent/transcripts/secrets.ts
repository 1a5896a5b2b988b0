import type { Clock } from "../../core/base/clock.ts";
import { isRecord, sameJson, withoutUndefined } from "../../core/base/json.ts";
import { isFilePart } from "../../core/contracts/content.ts";
import type { ActivityItem, StoredMessage, TranscriptChanges } from "../../core/contracts/transcript.ts";

import { createRedactor, type Redactor } from "../../node/records/redact.ts";
import { isActivityItem, isStoredMessage } from "./records.ts";

/**
 * Where a store removes secrets before it writes. `everything`, the default: from messages too; a resumed model then reads
 * `[redacted]`, and reasoning with a secret is left out, because its signature would not fit any more. `records`: from
 * activity, titles and errors; messages stay as the model saw them. `nothing`.
 */
export type RedactScope = "records" | "everything" | "nothing";

export interface Secrets {
  message(message: StoredMessage): StoredMessage;
  item(item: ActivityItem): ActivityItem;
  changes(changes: TranscriptChanges): TranscriptChanges;
}

export function secretsOf(
  scope: RedactScope,
  environment: Readonly<Record<string, string | undefined>> | undefined,
  clock: Pick<Clock, "now">,
): Secrets {
  const asItIs = <Data>(data: Data): Data => data;
  if (scope === "nothing") return { message: asItIs, item: asItIs, changes: asItIs };
  const everything = scope === "everything";
  const known = createRedactor(environment);
  const redactor = (): Redactor => {
    known.lookAgain(clock.now());
    return known;
  };
  return {
    message: (message) => (everything ? redactedMessage(message, redactor()) : message),
    item(item) {
      const clean = redactor().value(item);
      return isActivityItem(clean) ? clean : { type: item.type };
    },
    changes(changes) {
      const clean = redactor();
      const { title, error, unheard, waiting_for } = changes;
      const cleanData = (data: unknown): unknown =>
        everything ? withIdentities(data, clean.value(withoutBytes(data))) : data;
      return {
        ...changes,
        ...withoutUndefined({
          title: title && clean.text(title),
          error: error && { ...error, message: clean.text(error.message) },
          unheard: cleanData(unheard),
          waiting_for: cleanData(waiting_for),
        }),
      };
    },
  };
}

/** The ids of messages, turns and calls stay: without them nothing could be found or paired again. */
const IDENTITIES: readonly string[] = ["id", "turn_id", "tool_use_id", "not_started"];

/** Written by a model or a human: a field in it that has the name of an id is not one. */
const FREE_DATA: readonly string[] = ["tool_input", "provider_metadata", "questions"];

function redactedMessage(message: StoredMessage, redactor: Redactor): StoredMessage {
  const text = withoutBytes(message);
  const redacted = redactor.value(text);
  if (redacted === text) return message;
  const clean = withoutChangedReasoning(message, withIdentities(message, redacted));
  return isStoredMessage(clean) ? clean : { id: message.id };
}

/** A provider refuses reasoning that is not what it has signed; it needs none of it to continue. */
function withoutChangedReasoning(before: StoredMessage, after: unknown): unknown {
  if (!isRecord(before) || !isRecord(after)) return after;
  const { parts } = before;
  if (!Array.isArray(parts) || !Array.isArray(after.parts)) return after;
  const unchanged = after.parts.filter((part: unknown, at) => {
    const old: unknown = parts[at];
    return !(isRecord(old) && old.type === "reasoning" && !sameJson(old, part));
  });
  return { ...after, parts: unchanged };
}

function withIdentities(before: unknown, after: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(after))
    return after.map((item, at) => withIdentities(before[at], item));
  if (!isRecord(before) || !isRecord(after)) return after;
  return Object.fromEntries(
    Object.entries(after).map(([key, value]) => {
      if (IDENTITIES.includes(key) || (key === "data" && isFilePart(before))) return [key, before[key]];
      return [key, FREE_DATA.includes(key) ? value : withIdentities(before[key], value)];
    }),
  );
}

/**
 * A value without the data of its images and files, in which no secret can be found; the value itself if it has none. What
 * only looks like a file, in the input of a call, stays.
 */
function withoutBytes(value: unknown): unknown {
  if (Array.isArray(value)) {
    const list: unknown[] = value.map(withoutBytes);
    return list.some((item, at) => item !== value[at]) ? list : value;
  }
  if (!isRecord(value)) return value;
  if (isFilePart(value) && value.data !== undefined) return { ...value, data: "" };
  const changed = Object.entries(value).flatMap(([key, item]) => {
    const text = FREE_DATA.includes(key) ? item : withoutBytes(item);
    return text === item ? [] : [[key, text] as const];
  });
  return changed.length === 0 ? value : { ...value, ...Object.fromEntries(changed) };
}
