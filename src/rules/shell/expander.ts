import type { ParsedScript } from "unbash";
import { type Frame, mayGoOn, type Stream } from "./frame.ts";
import { unknown } from "./marked.ts";
import { childScope } from "./scope.ts";
import { walkScript } from "./walk.ts";
import type { Expander } from "./words.ts";

/** Connects word expansion with the walk. */
export function expanderFor(frame: Frame): Expander {
  const inside = (): Frame => ({ ...frame, scope: childScope(frame.scope), depth: frame.depth + 1 });
  const { walk } = frame;
  const run = (script: ParsedScript | undefined, stdin: Stream): Stream => {
    const start = walk.commands.length;
    if (script === undefined) walk.dynamic = true;
    const text = script === undefined ? undefined : walkScript(script, { ...inside(), stdin });
    return { text, from: walk.commands.slice(start) };
  };
  return {
    scope: frame.scope,
    substitute: (part) => {
      const stream = mayGoOn(frame) ? run(part.script, frame.stdin) : { text: undefined, from: [] };
      if (stream.text !== undefined) return stream.text.replace(/\n+$/, "");
      walk.substitutions.set(part.text, stream);
      return unknown(part.text);
    },
    process: (part) => {
      if (mayGoOn(frame)) walk.substitutions.set(part.text, run(part.script, { text: undefined, from: [] }));
      return unknown(part.text);
    },
  };
}
