import { isTenterhookError } from "../../core/base/errors.ts";
import { harmless } from "../../shared/harmless.ts";

/** What the log says about a failure: a stack trace only where our own message does not explain it. */
export function failureText(error: unknown): string {
  if (isTenterhookError(error)) return `${error.code}: ${error.message} ${error.hint}`;
  return error instanceof Error ? String(error.stack) : String(error);
}

/** An entry of the log. Its further lines are indented: what others wrote must not look like an entry of ours. */
export function logEntry(text: string, time: string): string {
  return `${time} ${harmless(text).replaceAll("\n", "\n    ")}`;
}

/** Why the daemon that was started at this time has ended, as its log says. */
export function failureIn(log: string, since: string): { code: string; message: string } | undefined {
  for (const line of log.split("\n").reverse()) {
    const [, time = "", code, message] = /^(\S+Z) failed: (\w+)(?: \[\w+\])?: (.*)$/.exec(line) ?? [];
    if (code !== undefined && message !== undefined && time >= since) return { code, message };
  }
  return undefined;
}
