import { isRecord, parseJson } from "../../core/base/json.ts";
import { answer, context, type Outcome, userMessage } from "../../core/events/outcomes.ts";
import type { AnyEvent } from "../../core/events/payloads.ts";
import { repeatedKey } from "../../shared/json-keys.ts";
import { ACTION_KEYS, OK_KEYS, readActionReply, readOkReply } from "./action-reply.ts";
import { SPECIFIC_KEYS, TOP_KEYS } from "./claude-keys.ts";
import { readClaudeReply } from "./claude-reply.ts";
import { hasCutJson } from "./json-in-text.ts";
import { type ReplyObject, shown } from "./reply-keys.ts";
import { badOutput, type ReplySite, replySite } from "./reply-site.ts";

export const NO_JSON = "The reply is not a JSON object. Print nothing else, and escape the strings in it.";

type ReadDialect = (value: ReplyObject, site: ReplySite) => readonly Outcome[];

/** The dialects, each with the keys that only it has. The first is the default. */
const DIALECTS: readonly { readonly marks: readonly string[]; readonly read: ReadDialect }[] = [
  { marks: Object.keys(TOP_KEYS).filter((key) => key !== "reason"), read: readClaudeReply },
  { marks: Object.keys(ACTION_KEYS).filter((key) => key !== "reason"), read: readActionReply },
  { marks: Object.keys(OK_KEYS).filter((key) => key !== "reason"), read: readOkReply },
];

/** Keys that tell an answer from other JSON that a program prints. */
const TELLING = [...DIALECTS.flatMap(({ marks }) => marks), ...Object.keys(SPECIFIC_KEYS)].filter(
  // Any JSON may have one of these.
  (key) => key !== "content" && key !== "answer",
);

/** An answer in text, whole or broken, with any quotes, escaped or not. */
const ANSWER_IN_TEXT = new RegExp(
  `\\\\*["'](?:${TELLING.join("|")}|\\w*decision|behaviou?r)\\\\*["']\\s*:`,
  "i",
);

/**
 * Reads what a program printed, a server answered or a tool gave: JSON of one of three dialects, plain text, or
 * nothing. Plain text is context where the event's row says so, and shown to the user elsewhere.
 *
 * @throws HookFailureError `bad_output` for anything half-right.
 */
export function readReplyText(text: string, event: AnyEvent): readonly Outcome[] {
  const site = replySite(event);
  const trimmed = text.trim();
  if (trimmed === "") return [];
  if (trimmed.startsWith("{")) return readDialect(parsedReply(trimmed), site);
  checkPlain(trimmed);
  return plainText(trimmed, site);
}

/**
 * Reads a reply that must be JSON, or nothing.
 *
 * @throws HookFailureError `bad_output`, as {@link readReplyText}.
 */
export function readReplyJson(text: string, event: AnyEvent): readonly Outcome[] {
  const site = replySite(event);
  const trimmed = text.trim();
  if (trimmed === "") return [];
  return readDialect(parsedReply(trimmed), site);
}

/**
 * Reads a reply that is data already.
 *
 * @throws HookFailureError `bad_output`, as {@link readReplyText}.
 */
export function readReplyValue(value: unknown, event: AnyEvent): readonly Outcome[] {
  return readDialect(value, replySite(event));
}

/**
 * The text of a reply.
 *
 * @throws HookFailureError `bad_output` for bytes that are not UTF-8.
 */
export function decodeReply(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw badOutput("The reply is not valid UTF-8.");
  }
}

/**
 * Reads a reply of whichever form it has.
 *
 * @throws HookFailureError `bad_output`.
 */
export function readDialect(value: unknown, site: ReplySite): readonly Outcome[] {
  if (!isRecord(value)) throw badOutput(`A reply in JSON must be an object, not ${shown(value)}.`);
  const marked = DIALECTS.filter(({ marks }) => marks.some((key) => Object.hasOwn(value, key)));
  if (marked.length > 1) {
    const mixed = marked.map(({ marks }) => marks.find((key) => Object.hasOwn(value, key)));
    throw badOutput(`The reply mixes ${mixed.join(" and ")}, which belong to different forms of a reply.`);
  }
  const read = marked[0]?.read ?? readClaudeReply;
  return read(value, site);
}

/**
 * The data of a reply in JSON.
 *
 * @throws HookFailureError `bad_output` for what is no JSON, or gives a key twice.
 */
export function parsedReply(text: string): unknown {
  const value = parseJson(text);
  if (value === undefined) throw badOutput(NO_JSON);
  const twice = repeatedKey(text);
  if (twice !== undefined) throw badOutput(`The reply gives ${JSON.stringify(twice.key)} twice.`);
  return value;
}

/** Plain output: what the event's row says, elsewhere a message. Claude Code shows it nowhere else. */
export function plainText(text: string, { known, lenient }: ReplySite): readonly Outcome[] {
  switch (known?.row.text_is) {
    case "context":
      return [context(text)];
    case "answer":
      return [answer(text)];
    default:
      return lenient ? [] : [userMessage(text)];
  }
}

/** Refuses text that hides an answer: JSON that is not an object, or an object with other output around it. */
function checkPlain(text: string): void {
  const whole = parseJson(text);
  if (whole !== undefined && typeof whole !== "number")
    throw badOutput(`A reply in JSON must be an object, not ${shown(whole)}.`);
  const hidden = hiddenAnswer(text);
  if (hidden !== undefined) throw badOutput(hidden);
}

/** Why text must not count as plain: somebody may have meant an answer in it. */
export function hiddenAnswer(text: string): string | undefined {
  if (text.includes("\0")) return "The reply has NUL characters in it; it must be text in UTF-8.";
  if (ANSWER_IN_TEXT.test(text))
    return "There is other output around the JSON of the reply; print the JSON alone.";
  return hasCutJson(text) ? "The reply ends in the middle of a JSON object." : undefined;
}
