import { TenterhookError } from "../base/errors.ts";
import { foldCase } from "../base/text.ts";
import { type GlobStep, matchesSteps, SLASH } from "./glob-steps.ts";

/** What the text of a glob is: in a path `*` stays inside a segment, in any other text it crosses everything. */
export type GlobKind = "path" | "text";

/** How a glob is read. */
export interface GlobOptions {
  readonly kind: GlobKind;
  /** Upper and lower case are the same letter. */
  readonly ignoreCase?: boolean;
}

const LONGEST_PATTERN = 4096;

/**
 * Compiles a glob to a test that takes time linear in the text, whatever the pattern: the pattern becomes a set of
 * states and each character of the text is looked at once.
 *
 * `*` any run of characters, `?` one character, `**` any run across `/`, `[a-z]` and `[!a-z]`, `{a,b}`, `\` takes
 * the next character as it is. In a path, `a/**` also fits `a` itself, and a leading dot is nothing special.
 *
 * @throws TenterhookError `bad_pattern` for an unclosed `[` or `{` and for a pattern over 4,096 characters.
 */
export function compileGlob(pattern: string, options: GlobOptions): (text: string) => boolean {
  const fold = options.ignoreCase === true;
  if (!/[*?[\]{}\\]/.test(pattern)) {
    const folded = foldCase(pattern);
    return fold ? (text) => foldCase(text) === folded : (text) => text === pattern;
  }
  const steps = new GlobCompiler(pattern, options.kind, fold).compile();
  return (text) => matchesSteps(steps, fold ? foldCase(text) : text);
}

/**
 * Compiles a glob for file paths. A pattern without a slash looks at the file name alone, so `*.py` fits at any
 * depth.
 */
export function compilePathGlob(pattern: string, ignoreCase = false): (path: string) => boolean {
  const test = compileGlob(pattern, { kind: "path", ignoreCase });
  if (pattern.includes("/")) return test;
  return (path) => test(path.slice(path.lastIndexOf("/") + 1));
}

class GlobCompiler {
  private readonly steps: GlobStep[] = [];
  private at = 0;
  /** Where the last slash that stands by itself was compiled. */
  private slash = -1;
  private readonly source: string;
  private readonly path: boolean;
  private readonly fold: boolean;

  constructor(source: string, kind: GlobKind, fold: boolean) {
    this.source = source;
    this.path = kind === "path";
    this.fold = fold;
  }

  compile(): readonly GlobStep[] {
    if (this.source.length > LONGEST_PATTERN) throw this.bad(`is longer than ${LONGEST_PATTERN} characters`);
    this.sequence(false);
    return this.steps;
  }

  private bad(problem: string): TenterhookError {
    return new TenterhookError(
      "bad_pattern",
      `The glob ${JSON.stringify(this.source.slice(0, 200))} ${problem}.`,
    );
  }

  /** Compiles up to the end, or inside braces up to the `,` or `}` that ends this alternative. */
  private sequence(insideBraces: boolean): void {
    while (this.at < this.source.length) {
      const char = this.source[this.at];
      if (insideBraces && (char === "," || char === "}")) return;
      if (char === "*") this.star();
      else if (char === "?") this.question();
      else if (char === "[") this.characterClass();
      else if (char === "{") this.braces();
      else this.literal();
    }
    if (insideBraces) throw this.bad('has a "{" that no "}" closes; write "\\{" for the character itself');
  }

  private literal(): void {
    if (this.source[this.at] === "\\" && this.at + 1 < this.source.length) this.at += 1;
    const code = this.source.codePointAt(this.at) ?? 0;
    this.at += code > 0xffff ? 2 : 1;
    if (code === SLASH) this.slash = this.steps.length;
    const folded = this.fold ? foldCase(String.fromCodePoint(code)).codePointAt(0) : code;
    this.steps.push({ type: "char", code: folded ?? code });
  }

  private question(): void {
    this.at += 1;
    this.steps.push({ type: "any", slash: !this.path });
  }

  private star(): void {
    const start = this.at;
    while (this.source[this.at] === "*") this.at += 1;
    if (!this.path || this.at - start === 1) {
      this.run(!this.path);
      return;
    }
    const segmentStart = start === 0 || this.source[start - 1] === "/";
    if (segmentStart && this.source[this.at] === "/") {
      // `**/`: nothing, or any folders and their slash. Saying so again changes nothing.
      this.at += 1;
      while (this.source.startsWith("**/", this.at)) this.at += 3;
      const split = this.split();
      this.run(true);
      this.steps.push({ type: "char", code: SLASH });
      split.second = this.steps.length;
      return;
    }
    if (this.slash === this.steps.length - 1 && this.slash >= 0 && this.at === this.source.length) {
      // A last `/**`: the folder itself, or anything below it. The slash is compiled already: make it optional.
      this.steps.pop();
      const split = this.split();
      this.steps.push({ type: "char", code: SLASH });
      this.run(true);
      split.second = this.steps.length;
      return;
    }
    this.run(true);
  }

  private split(): Extract<GlobStep, { type: "split" }> {
    const step: Extract<GlobStep, { type: "split" }> = {
      type: "split",
      first: this.steps.length + 1,
      second: -1,
    };
    this.steps.push(step);
    return step;
  }

  private run(slash: boolean): void {
    const loop = this.steps.length;
    const split = this.split();
    this.steps.push({ type: "any", slash }, { type: "jump", to: loop });
    split.second = this.steps.length;
  }

  private characterClass(): void {
    const negated = this.source[this.at + 1] === "!" || this.source[this.at + 1] === "^";
    let at = this.at + (negated ? 2 : 1);
    const first = at;
    const ranges: [number, number][] = [];
    while (at < this.source.length && (this.source[at] !== "]" || at === first)) {
      const [low, afterLow] = this.classCharacter(at);
      at = afterLow;
      let high = low;
      if (this.source[at] === "-" && at + 1 < this.source.length && this.source[at + 1] !== "]") {
        [high, at] = this.classCharacter(at + 1);
      }
      ranges.push([low, high]);
    }
    if (at >= this.source.length)
      throw this.bad('has a "[" that no "]" closes; write "\\[" for the character itself');
    this.at = at + 1;
    // Any case of a character may be in the class; texts come folded, so the upper case is tried beside them.
    this.steps.push({ type: "class", negated, ranges, slash: !this.path, fold: this.fold });
  }

  private classCharacter(at: number): [code: number, next: number] {
    const start = this.source[at] === "\\" && at + 1 < this.source.length ? at + 1 : at;
    const code = this.source.codePointAt(start) ?? 0;
    return [code, start + (code > 0xffff ? 2 : 1)];
  }

  private braces(): void {
    this.at += 1;
    const ends: Extract<GlobStep, { type: "jump" }>[] = [];
    for (;;) {
      const split = this.split();
      this.sequence(true);
      const end: Extract<GlobStep, { type: "jump" }> = { type: "jump", to: -1 };
      ends.push(end);
      this.steps.push(end);
      split.second = this.steps.length;
      const closed = this.source[this.at] === "}";
      this.at += 1;
      if (closed) {
        // The last alternative has no other to fall to.
        split.second = split.first;
        break;
      }
    }
    for (const end of ends) end.to = this.steps.length;
  }
}
