import type { Stream, Walk } from "./frame.ts";
import type { ParsedOptions } from "./options.ts";
import type { Redirections } from "./redirections.ts";
import type { Touches } from "./touches.ts";

/** A simple command while its behaviours are worked out. Texts are marked. */
export interface Subject {
  readonly name: string;
  readonly words: readonly string[];
  readonly parsed: ParsedOptions;
  readonly touches: Touches;
  readonly redirections: Redirections;
  readonly stdin: Stream;
  readonly folder: string;
  readonly walk: Walk;
}
