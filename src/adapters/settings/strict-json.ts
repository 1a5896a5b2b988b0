import { type ParseErrorCode, printParseErrorCode, visit } from "jsonc-parser";
import type { AgentSettings } from "./agent-settings.ts";
import { lineAt } from "./json-edit.ts";

interface Lax {
  readonly what: string;
  readonly from: number;
  readonly to: number;
}

const COMMENT = "a comment";

type Rejects = (text: string) => string | undefined;

/**
 * The first comment, comma before a closing bracket or other thing that is no strict JSON. A byte order mark is fine, and
 * so are comments when the program reads them.
 */
function notStrict(text: string, comments: boolean): { line: number; what: string } | undefined {
  const [first] = laxIn(text).filter(({ what }) => !comments || what !== COMMENT);
  if (first !== undefined) return { line: lineAt(text, first.from), what: first.what };
  try {
    JSON.parse((comments ? strictJson(text) : text).replace(/^\uFEFF/, ""));
    return undefined;
  } catch {
    return { line: 1, what: "something else" };
  }
}

/**
 * `unread` and `readable` of an agent that reads strict JSON, or JSON with comments.
 *
 * @param why begins the sentence that names the line.
 * @param rejects why the agent ignores a text that it can parse.
 */
export function readsStrictJson(
  why: string,
  { comments = false, rejects }: { readonly comments?: boolean; readonly rejects?: Rejects } = {},
): Pick<AgentSettings, "unread" | "readable"> {
  return {
    unread(text) {
      if (text === undefined || text.trim() === "") return undefined;
      const found = notStrict(text, comments);
      if (found !== undefined)
        return { why: `${why} line ${found.line} holds ${found.what}`, strippable: true };
      const rejected = rejects?.(text);
      return rejected === undefined ? undefined : { why: rejected, strippable: false };
    },
    readable: (text) => (text === undefined ? undefined : strictJson(text)),
  };
}

/** The text without its comments and the commas before closing brackets. A comment's line goes with it when it is alone there. */
export function strictJson(text: string): string {
  return laxIn(text)
    .filter(({ from, to }) => to > from)
    .toReversed()
    .reduce((left, { from, to }) => {
      const line = /(?:^|\n)([ \t]*)$/.exec(left.slice(0, from))?.[1];
      const rest = /^[ \t]*\r?\n/.exec(left.slice(to))?.[0];
      if (line !== undefined && rest !== undefined)
        return left.slice(0, from - line.length) + left.slice(to + rest.length);
      const space = rest === undefined ? "" : (/[ \t]*$/.exec(left.slice(0, from))?.[0] ?? "");
      return left.slice(0, from - space.length) + left.slice(to);
    }, text);
}

/** In the order of the text. */
function laxIn(text: string): readonly Lax[] {
  const found: Lax[] = [];
  let comma: number | undefined;
  const value = (): void => {
    comma = undefined;
  };
  const closing = (): void => {
    if (comma !== undefined)
      found.push({ what: "a comma before a closing bracket", from: comma, to: comma + 1 });
    comma = undefined;
  };
  visit(
    text.replace(/^\uFEFF/, " "),
    {
      onComment: (from, length) => void found.push({ what: COMMENT, from, to: from + length }),
      onSeparator: (character, from) => {
        if (character === ",") comma = from;
      },
      onObjectProperty: value,
      onLiteralValue: value,
      onObjectBegin: value,
      onArrayBegin: value,
      onObjectEnd: closing,
      onArrayEnd: closing,
      onError: (error: ParseErrorCode, from) =>
        void found.push({ what: printParseErrorCode(error), from, to: from }),
    },
    { allowTrailingComma: true },
  );
  return found.toSorted((one, other) => one.from - other.from);
}
