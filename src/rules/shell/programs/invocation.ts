import type { ShellOption } from "../analysis.ts";
import type { Redirections, Stream, Walk } from "../interpret/frame.ts";

/** The words of a command after its name, sorted into what they are. */
export interface ParsedOptions {
  readonly flags: readonly string[];
  readonly options: readonly ShellOption[];
  readonly args: readonly string[];
}

/** What a command touches, by the way it does. Paths are partly known text, with the current folder in front. */
export interface Touches {
  readonly reads: string[];
  /** Read, but not shown: keys, settings, scripts. */
  readonly uses: string[];
  readonly writes: string[];
  readonly deletes: string[];
  readonly moves: string[];
  readonly connects: string[];
  /** Local files that the arguments send to another machine. */
  readonly uploads: string[];
}

/** One program with its words, while the analysis works out what it does. Texts are partly known. */
export interface Invocation {
  /** The program, or empty text when it is unknown. */
  readonly name: string;
  /** The first word, as it was written. */
  readonly first: string;
  readonly words: readonly string[];
  /** The first word and the others, with spaces between. */
  readonly line: string;
  readonly parsed: ParsedOptions;
  readonly touches: Touches;
  readonly redirections: Redirections;
  readonly stdin: Stream;
  readonly folder: string;
  readonly walk: Walk;
}
