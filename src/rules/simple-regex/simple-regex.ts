import type { Program } from "./program.ts";
import { programOf } from "./program.ts";
import { END, fits, isWord, symbolOf } from "./symbols.ts";
import { type Assertion, readExpression } from "./syntax.ts";

/** A regular expression that is simple, as most are: it is tested in time linear in the text. */
export interface SimpleRegex {
  readonly test: (text: string) => boolean;
  /** It says the same as the engine about texts of ASCII only, since it tells characters beyond that apart. */
  readonly asciiOnly: boolean;
}

/**
 * Compiles a regular expression that is simple; `undefined` for any other. It says the same as the engine, which a process
 * that decides one event has no time to load.
 */
export function simpleRegex(source: string, ignoreCase: boolean): SimpleRegex | undefined {
  const { expression, asciiOnly = false } = readExpression(source, ignoreCase) ?? {};
  const program = expression === undefined ? undefined : programOf(expression);
  return program === undefined ? undefined : { test: testOf(program), asciiOnly };
}

/** What can be said of all places a program may have got to at once. */
interface State {
  readonly at: readonly number[];
  readonly begin: boolean;
  /** The symbol before was one of a word. */
  readonly word: boolean;
  /** Where each symbol leads: found once, then known. */
  readonly after: (State | "fits" | "ends" | undefined)[];
}

/** More are forgotten, so that no text can fill the memory. */
const MOST_STATES = 500;

function testOf(program: Program): (text: string) => boolean {
  const states = new Map<string, State>();
  const stateOf = (at: readonly number[], begin: boolean, word: boolean): State => {
    const key = `${begin}${word}${at}`;
    let state = states.get(key);
    if (state === undefined) {
      if (states.size >= MOST_STATES) states.clear();
      state = { at, begin, word, after: [] };
      states.set(key, state);
    }
    return state;
  };
  const follow = (state: State, symbol: number): State | "fits" | "ends" => {
    const at = placesAfter(program, state, symbol);
    if (at === "fits") return at;
    return symbol === END ? "ends" : stateOf(at, false, isWord(symbol));
  };
  return (text) => {
    let state = stateOf([program.start], true, false);
    for (let at = 0; at <= text.length; at += 1) {
      const code = text.codePointAt(at);
      const symbol = code === undefined ? END : symbolOf(code);
      if (code !== undefined && code > 0xffff) at += 1;
      let next = state.after[symbol];
      if (next === undefined) {
        next = follow(state, symbol);
        state.after[symbol] = next;
      }
      if (typeof next === "string") return next === "fits";
      state = next;
    }
    return false;
  };
}

/** Where a symbol leads from all places at once, the start among them; or that the expression fits before it. */
function placesAfter({ steps, start }: Program, state: State, symbol: number): readonly number[] | "fits" {
  const reached = new Set<number>([start]);
  const seen = new Set(state.at);
  // A set goes on over what is added on the way.
  for (const number of seen) {
    const step = steps[number];
    if (step === undefined) continue;
    switch (step.type) {
      case "fits":
        return "fits";
      case "either":
        seen.add(step.next).add(step.other);
        break;
      case "assertion":
        if (isThere(step.assertion, state, symbol)) seen.add(step.next);
        break;
      case "chars":
        if (fits(step.chars, symbol)) reached.add(step.next);
        break;
      default:
        step satisfies never;
    }
  }
  return [...reached].sort((a, b) => a - b);
}

function isThere(assertion: Assertion, { begin, word }: State, symbol: number): boolean {
  switch (assertion) {
    case "begin":
      return begin;
    case "end":
      return symbol === END;
    case "word":
      return word !== isWord(symbol);
    case "inside":
      return word === isWord(symbol);
    default:
      return assertion satisfies never;
  }
}
