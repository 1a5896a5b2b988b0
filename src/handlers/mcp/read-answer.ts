import { isRecord, parseJson, sameJson } from "../../core/base/json.ts";
import { refuses } from "../../core/decide/read-answer.ts";
import type { HookFailureError } from "../../core/events/hook-failure-error.ts";
import type { Outcome } from "../../core/events/outcomes.ts";
import type { AnyEvent } from "../../core/events/payloads.ts";
import type { McpToolAnswer } from "../../node/mcp/mcp-client.ts";
import { readNativeExit } from "../reply/read-native.ts";
import { readReplyText, readReplyValue } from "../reply/read-reply.ts";
import { refusingForms } from "../reply/refusing-form.ts";
import { badOutput, replySite } from "../reply/reply-site.ts";

const MOST_REPLY_CHARACTERS = 1_000_000;

/**
 * Reads what a tool answered: its structured content when it gives some, else its text. With `isNative`, as Claude Code
 * reads a tool that was written for it: the text alone, like the output of a command.
 *
 * @throws HookFailureError `bad_output` for what is no reply, or says two different things.
 */
export function readAnswer(answer: McpToolAnswer, event: AnyEvent, isNative: boolean): readonly Outcome[] {
  try {
    return isNative ? nativeOutcomesOf(answer, event) : outcomesOf(answer, event);
  } catch (error) {
    // The stack is too small to compare the two parts of the answer.
    throw error instanceof RangeError ? badOutput("The tool's answer nests too deeply.") : error;
  }
}

export function textOf({ content }: McpToolAnswer): string {
  return content.flatMap(({ type, text }) => (type === "text" ? [String(text)] : [])).join("\n");
}

function outcomesOf(answer: McpToolAnswer, event: AnyEvent): readonly Outcome[] {
  const { structured } = answer;
  const text = textOf(answer);
  if (text.length > MOST_REPLY_CHARACTERS) throw tooLong();
  const other = answer.content.find(({ type }) => type !== "text");
  if (other !== undefined)
    throw badOutput(`The tool answered ${String(other.type)} where text was expected.`);
  if (structured === undefined && answer.content.length === 0)
    throw badOutput("The tool answered nothing. To have no opinion, answer an empty text or {}.");
  if (structured === undefined) return readReplyText(text, event);
  const wrapped = wrappedText(structured);
  if (wrapped !== undefined) {
    if (text.trim() !== "" && wrapped.trim() !== text.trim()) throw contradiction();
    return readReplyText(wrapped, event);
  }
  // The text may be the same data, or words about it; what reads as another reply is neither.
  const data = parseJson(text);
  if (isRecord(data) && sameJson(data, structured)) return readReplyText(text, event);
  if (isRecord(data) || isFaulty(text, event)) throw contradiction();
  return readReplyValue(structured, event);
}

function nativeOutcomesOf(answer: McpToolAnswer, event: AnyEvent): readonly Outcome[] {
  const stdout = textOf(answer);
  if (stdout.length > MOST_REPLY_CHARACTERS) throw tooLong();
  const outcomes = readNativeExit({ exit_code: 0, stdout, stderr: "" }, event);
  const isDecided = outcomes.some((outcome) => refuses(outcome) || outcome.type === "rewrite");
  const { structured } = answer;
  if (!isDecided && isRecord(structured) && refusingForms(structured, replySite(event, true)).length > 0)
    throw badOutput("It refuses in a form that Claude Code ignores.");
  return outcomes;
}

/** FastMCP servers wrap anything but an object in `{ result }`. */
function wrappedText(structured: unknown): string | undefined {
  if (!isRecord(structured) || Object.keys(structured).join() !== "result") return undefined;
  const { result } = structured;
  if (result === null) return "";
  return typeof result === "string" ? result : undefined;
}

function isFaulty(text: string, event: AnyEvent): boolean {
  try {
    readReplyText(text, event);
    return false;
  } catch {
    return true;
  }
}

function tooLong(): HookFailureError {
  return badOutput(`The tool answered more than ${MOST_REPLY_CHARACTERS} characters.`);
}

function contradiction(): HookFailureError {
  return badOutput("The structured content and the text of the tool's answer say different things.");
}
