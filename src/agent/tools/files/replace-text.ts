import { failed } from "../input.ts";

export interface Replacement {
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all: boolean;
}

export interface Replaced {
  readonly text: string;
  readonly count: number;
  /** The line of the first replacement, from 1. */
  readonly line: number;
}

/**
 * Replaces literal text.
 *
 * In a file with Windows line endings `\n` in the strings means `\r\n`. In a file with both kinds of line endings, and for
 * an old_string that contains `\r`, every character counts; a line break of new_string becomes `\r\n` when all of
 * old_string's are and it differs in more than that.
 *
 * @throws TenterhookError `tool_failed` when the old text is missing, or found several times without `replace_all`.
 */
export function replaceText(text: string, { old_string, new_string, replace_all }: Replacement): Replaced {
  const isMixed = text.includes("\r\n") && UNIX_BREAK.test(text);
  const byLines = text.includes("\r\n") && !isMixed && !old_string.includes("\r");
  const view = byLines ? text.replaceAll("\r\n", "\n") : text;
  const next = byLines ? new_string.replaceAll("\r\n", "\n") : likeBreaksOf(old_string, new_string);
  const parts = view.split(old_string);
  const count = parts.length - 1;
  if (count === 0)
    throw failed(`String not found${isMixed ? "; the file has \\n and \\r\\n, so write each as it is" : ""}`);
  if (count > 1 && !replace_all)
    throw failed(`String appears ${count} times, use replace_all or add context`);
  const changed = parts.join(next);
  const [before = ""] = parts;
  return {
    text: byLines ? changed.replaceAll("\n", "\r\n") : changed,
    count,
    line: before.split("\n").length,
  };
}

const UNIX_BREAK = /(?<!\r)\n/;

/** Uses Windows line endings in the new text when all of the old one's are and more than that changes. */
function likeBreaksOf(old: string, next: string): string {
  const isWindows = old.includes("\r\n") && !UNIX_BREAK.test(old);
  return isWindows && old.replaceAll("\r\n", "\n") !== next ? next.replace(/\r?\n/g, "\r\n") : next;
}
