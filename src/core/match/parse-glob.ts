import { TenterhookError } from "../base/errors.ts";

/** What a glob is matched with: in a path `*` stays inside a segment, in any other text it crosses everything. */
export type GlobKind = "path" | "text";

export type GlobPart =
  | { readonly type: "character"; readonly code: number }
  /** `?`: one character; in a path not a slash. */
  | { readonly type: "one" }
  /** `[a-z]`, `[!a-z]` */
  | { readonly type: "class"; readonly negated: boolean; readonly ranges: readonly GlobRange[] }
  /** `*`: any characters; in a path not a slash. */
  | { readonly type: "run" }
  /** `**`: any characters, slashes included. */
  | { readonly type: "cross" }
  /** `**` and a slash at the start of a segment: nothing, or any folders and their slash. */
  | { readonly type: "folders" }
  /** A last slash and `**`: the folder itself, or anything below it. */
  | { readonly type: "below" }
  | { readonly type: "choice"; readonly options: readonly (readonly GlobPart[])[] };

/** The first and the last code of a range of characters. */
export type GlobRange = readonly [low: number, high: number];

const LONGEST_PATTERN = 4096;
const SLASH = 0x2f;

/**
 * Reads a glob into its parts.
 *
 * @throws TenterhookError `bad_pattern`, as {@link compileGlob} does; not when `lenient`: then a `[` that nothing closes
 *   is a character like any other, and a `{` that nothing closes fits anything to the end.
 */
export function parseGlob(source: string, kind: GlobKind, lenient = false): readonly GlobPart[] {
  if (!lenient && source.length > LONGEST_PATTERN)
    throw bad(source, `is longer than ${LONGEST_PATTERN} characters`);
  return new GlobReader(source, kind === "path", lenient).sequence(false);
}

function bad(source: string, problem: string): TenterhookError {
  return new TenterhookError("bad_pattern", `The glob ${JSON.stringify(source.slice(0, 200))} ${problem}.`);
}

class GlobReader {
  private at = 0;
  private readonly source: string;
  private readonly isPath: boolean;
  private readonly lenient: boolean;

  constructor(source: string, isPath: boolean, lenient: boolean) {
    this.source = source;
    this.isPath = isPath;
    this.lenient = lenient;
  }

  /** Reads up to the end, or inside braces up to the `,` or `}` that ends this alternative. */
  sequence(insideBraces: boolean): readonly GlobPart[] {
    const parts: GlobPart[] = [];
    while (this.at < this.source.length) {
      const char = this.source[this.at];
      if (insideBraces && (char === "," || char === "}")) return parts;
      if (char === "*") parts.push(this.star(parts));
      else if (char === "?") {
        this.at += 1;
        parts.push({ type: "one" });
      } else if (char === "[") parts.push(this.characterClass());
      else if (char === "{") parts.push(this.braces());
      else parts.push(this.character());
    }
    if (insideBraces && !this.lenient)
      throw bad(this.source, 'has a "{" that no "}" closes; write "\\{" for the character itself');
    return parts;
  }

  private character(): GlobPart {
    const [code, next] = this.codeAt(this.at);
    this.at = next;
    return { type: "character", code };
  }

  private star(before: GlobPart[]): GlobPart {
    const start = this.at;
    while (this.source[this.at] === "*") this.at += 1;
    if (!this.isPath || this.at - start === 1) return { type: "run" };
    if ((start === 0 || this.source[start - 1] === "/") && this.source[this.at] === "/") {
      this.at += 1;
      // Saying `**/` again changes nothing.
      while (this.source.startsWith("**/", this.at)) this.at += 3;
      return { type: "folders" };
    }
    const last = before.at(-1);
    if (last?.type !== "character" || last.code !== SLASH || this.at < this.source.length)
      return { type: "cross" };
    before.pop();
    return { type: "below" };
  }

  private characterClass(): GlobPart {
    // Not looked for again and again where a path has many brackets.
    if (this.lenient && this.at > this.source.lastIndexOf("]")) return this.character();
    const negated = this.source[this.at + 1] === "!" || this.source[this.at + 1] === "^";
    let at = this.at + (negated ? 2 : 1);
    const first = at;
    const ranges: GlobRange[] = [];
    while (at < this.source.length && (this.source[at] !== "]" || at === first)) {
      const [low, afterLow] = this.codeAt(at);
      at = afterLow;
      let high = low;
      if (this.source[at] === "-" && at + 1 < this.source.length && this.source[at + 1] !== "]")
        [high, at] = this.codeAt(at + 1);
      ranges.push([low, high]);
    }
    if (at < this.source.length) {
      this.at = at + 1;
      return { type: "class", negated, ranges };
    }
    if (this.lenient) return this.character();
    throw bad(this.source, 'has a "[" that no "]" closes; write "\\[" for the character itself');
  }

  private braces(): GlobPart {
    const options: (readonly GlobPart[])[] = [];
    do {
      this.at += 1;
      options.push(this.sequence(true));
    } while (this.source[this.at] === ",");
    // At the end of the source only a lenient reader comes here: the rest of the glob may be anything.
    if (this.at >= this.source.length) return { type: "cross" };
    this.at += 1;
    return { type: "choice", options };
  }

  /** The character at a place, which a `\` before it takes as it is; and the place after it. */
  private codeAt(at: number): [code: number, next: number] {
    const start = this.source[at] === "\\" && at + 1 < this.source.length ? at + 1 : at;
    const code = this.source.codePointAt(start) ?? 0;
    return [code, start + (code > 0xffff ? 2 : 1)];
  }
}
