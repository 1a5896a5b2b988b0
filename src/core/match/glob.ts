import { foldCase } from "../base/text.ts";
import { type GlobKind, type GlobPart, parseGlob } from "./parse-glob.ts";

/** How a glob is read. */
export interface GlobOptions {
  readonly kind: GlobKind;
  /** Upper and lower case are the same letter. */
  readonly ignoreCase?: boolean;
}

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
  const compile = () => compileSteps(parseGlob(pattern, options.kind), options.kind === "path", fold);
  const needed = fold ? foldCase(neededText(pattern)) : neededText(pattern);
  // Guards have hundreds of globs, and a call fits few of them: most are ruled out without being compiled.
  let steps = SURELY_READABLE.test(pattern) ? undefined : compile();
  return (given) => {
    const text = fold ? foldCase(given) : given;
    if (!text.includes(needed)) return false;
    steps ??= compile();
    return matchesSteps(steps, text);
  };
}

/** A glob of moderate length without classes, escapes and nested braces: nothing in it can be left open. */
const SURELY_READABLE = /^(?=.{0,1000}$)[^[\]{}\\]*(?:\{[^[\]{}\\]*\}[^[\]{}\\]*)*$/s;

/**
 * The longest text that is in everything that a glob fits. Slashes at its ends don't count: the path `a/**` fits `a`.
 */
function neededText(pattern: string): string {
  const [plain = ""] = /^[^[\]{}\\]*/.exec(pattern) ?? [];
  const texts = plain.split(/[*?]/).map((text) => text.replace(/^\/+|\/+$/g, ""));
  return texts.reduce((longest, text) => (text.length > longest.length ? text : longest), "");
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

/** One step of the compiled pattern: consume a character, or move on without consuming. */
type Step =
  | { readonly type: "character"; readonly code: number }
  | { readonly type: "any"; readonly slash: boolean }
  | (Extract<GlobPart, { type: "class" }> & { readonly slash: boolean; readonly fold: boolean })
  | { type: "split"; first: number; second: number }
  | { type: "jump"; to: number };

const SLASH = 0x2f;

function compileSteps(parts: readonly GlobPart[], isPath: boolean, fold: boolean): readonly Step[] {
  const steps: Step[] = [];
  const split = (): Extract<Step, { type: "split" }> => {
    const step = { type: "split" as const, first: steps.length + 1, second: -1 };
    steps.push(step);
    return step;
  };
  const run = (slash: boolean): void => {
    const loop = steps.length;
    const end = split();
    steps.push({ type: "any", slash }, { type: "jump", to: loop });
    end.second = steps.length;
  };
  const optional = (add: () => void): void => {
    const without = split();
    add();
    without.second = steps.length;
  };
  const choice = (options: readonly (readonly GlobPart[])[]): void => {
    const ends: Extract<Step, { type: "jump" }>[] = [];
    for (const [at, option] of options.entries()) {
      const next = split();
      add(option);
      const end = { type: "jump" as const, to: -1 };
      ends.push(end);
      steps.push(end);
      // The last alternative has no other to fall to.
      next.second = at === options.length - 1 ? next.first : steps.length;
    }
    for (const end of ends) end.to = steps.length;
  };
  const add = (sequence: readonly GlobPart[]): void => {
    for (const part of sequence) addPart(part);
  };
  const addPart = (part: GlobPart): void => {
    switch (part.type) {
      case "character":
        steps.push({ type: "character", code: fold ? foldCode(part.code) : part.code });
        return;
      case "one":
        steps.push({ type: "any", slash: !isPath });
        return;
      case "class":
        // Any case of a character may be in the class; texts come folded, so the upper case is tried as well.
        steps.push({ ...part, slash: !isPath, fold });
        return;
      case "run":
        run(!isPath);
        return;
      case "cross":
        run(true);
        return;
      case "folders":
        optional(() => {
          run(true);
          steps.push({ type: "character", code: SLASH });
        });
        return;
      case "below":
        optional(() => {
          steps.push({ type: "character", code: SLASH });
          run(true);
        });
        return;
      case "choice":
        choice(part.options);
        return;
      default:
        part satisfies never;
    }
  };
  add(parts);
  return steps;
}

function foldCode(code: number): number {
  return foldCase(String.fromCodePoint(code)).codePointAt(0) ?? code;
}

/** Runs all states side by side; `steps.length` is the state of a match. */
function matchesSteps(steps: readonly Step[], text: string): boolean {
  const accept = steps.length;
  let current: number[] = [];
  let next: number[] = [];
  const seen = new Int32Array(steps.length + 1).fill(-1);
  const pending: number[] = [];

  const enter = (start: number, states: number[], mark: number): void => {
    pending.push(start);
    for (let state = pending.pop(); state !== undefined; state = pending.pop()) {
      if (seen[state] === mark) continue;
      seen[state] = mark;
      const step = steps[state];
      if (step?.type === "split") pending.push(step.second, step.first);
      else if (step?.type === "jump") pending.push(step.to);
      else states.push(state);
    }
  };

  enter(0, current, 0);
  let mark = 1;
  for (let at = 0; at < text.length; mark += 1) {
    const code = text.codePointAt(at) ?? 0;
    at += code > 0xffff ? 2 : 1;
    next.length = 0;
    for (const state of current) {
      const step = steps[state];
      if (step !== undefined && consumes(step, code)) enter(state + 1, next, mark);
    }
    if (next.length === 0) return false;
    [current, next] = [next, current];
  }
  return current.includes(accept);
}

function consumes(step: Step, code: number): boolean {
  switch (step.type) {
    case "character":
      return step.code === code;
    case "any":
      return step.slash || code !== SLASH;
    case "class":
      if (!step.slash && code === SLASH) return false;
      return (
        (inRanges(step.ranges, code) || (step.fold && inRanges(step.ranges, upperCase(code)))) !==
        step.negated
      );
    case "split":
    case "jump":
      return false;
    default:
      return step satisfies never;
  }
}

function inRanges(ranges: readonly (readonly [number, number])[], code: number): boolean {
  return ranges.some(([low, high]) => code >= low && code <= high);
}

function upperCase(code: number): number {
  return String.fromCodePoint(code).toUpperCase().codePointAt(0) ?? code;
}
