import type { CommandExpansionPart, ParsedScript, ProcessSubstitutionPart } from "unbash";
import { unknown } from "../words/partly-known-text.ts";
import { withoutTrailing } from "../words/text.ts";
import { deeper, type Frame, mayGoOn, noteSource, type Stream } from "./frame.ts";
import { childScope } from "./scope.ts";

/** Walks `$(…)` and gives what it prints as marked text. */
export function substitute(part: CommandExpansionPart, frame: Frame): string {
  if (!mayGoOn(frame)) return unknown(part.text);
  const stream = run(part.script, frame, frame.stdin);
  if (stream.text !== undefined) return withoutTrailing(stream.text, "\n");
  noteSource(frame.walk, part.text, stream);
  return unknown(part.text);
}

/** Walks `<(…)` or `>(…)` and gives the marked text that stands for its file name. */
export function substituteProcess(part: ProcessSubstitutionPart, frame: Frame): string {
  if (mayGoOn(frame))
    noteSource(frame.walk, part.text, run(part.script, frame, { text: undefined, from: [] }));
  return unknown(part.text);
}

function run(script: ParsedScript | undefined, frame: Frame, stdin: Stream): Stream {
  const { walk } = frame;
  const start = walk.commands.length;
  if (script === undefined) walk.dynamic = true;
  else {
    walk.walked ??= new Set();
    walk.walked.add(script);
  }
  const text =
    script === undefined ? undefined : walk.run.script(script, deeper(frame, childScope(frame.scope), stdin));
  return { text, from: walk.commands.slice(start) };
}
