import type { ParsedOptions } from "../programs/options.ts";
import type { Touches } from "../programs/touches.ts";
import type { Stream, Walk } from "./frame.ts";
import type { Redirections } from "./redirections.ts";

/** A simple command while its behaviours are worked out. Texts are marked. */
export interface Subject {
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
