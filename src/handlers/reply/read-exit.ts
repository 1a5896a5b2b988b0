import { capText, characterCount, firstCharacters, lastCharacters } from "../../core/base/text.ts";
import { HookFailureError } from "../../core/events/hook-failure-error.ts";
import { type Outcome, userMessage } from "../../core/events/outcomes.ts";
import type { AnyEvent } from "../../core/events/payloads.ts";
import { readReplyText } from "./read-reply.ts";
import { refusal, replySite } from "./reply-site.ts";

export interface Exit {
  readonly exit_code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export const REFUSED = 2;
const LONGEST_REASON = 10_000;
/** Node prints the reason first, Python last. */
const HEAD = 200;
const TAIL = 300;
const NO_REASON = "A hook ended with exit code 2 and wrote nothing to stderr.";

/**
 * Reads how a program ended: 0 means what it printed, 2 refuses with the text on stderr, whatever it printed.
 *
 * @throws HookFailureError `error` for any other exit code, with the beginning and the end of stderr; `bad_output` for what
 *   {@link readReplyText} can't read.
 */
export function readExit({ exit_code, stdout, stderr }: Exit, event: AnyEvent): readonly Outcome[] {
  if (exit_code === 0) return readReplyText(stdout, event);
  if (exit_code !== REFUSED) throw new HookFailureError("error", exitProblem(exit_code, stderr));
  const reason = refusedBy(stderr);
  return [refusal(replySite(event), reason) ?? userMessage(reason, "warning")];
}

/** The reason of a program that ended with the exit code that refuses. */
export function refusedBy(stderr: string): string {
  const message = stderr.trim();
  return message === "" ? NO_REASON : capText(message, LONGEST_REASON);
}

/** What is wrong when a program ends with any other exit code but 0. */
export function exitProblem(exit_code: number, stderr: string): string {
  const message = stderr.trim();
  return `Exit code ${exit_code}${message === "" ? "" : `: ${shortened(message)}`}`;
}

function shortened(text: string): string {
  if (characterCount(text) <= HEAD + TAIL) return text;
  return `${firstCharacters(text, HEAD)} … ${lastCharacters(text, TAIL)}`;
}
