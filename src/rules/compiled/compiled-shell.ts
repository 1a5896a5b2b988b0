import type { Subject } from "../fields/subject.ts";
import { keptCandidates } from "./compiled-candidates.ts";
import type { KeptIndex } from "./compiled-index.ts";

/*
 * The shell analysis as `tenterhook hook` loads it: with what it takes to say that no rule holds, so that a line which only
 * has to be parsed needs no engine.
 */
export { analyseShell, loadShellParser, shellParserLoaded } from "../shell/analyse.ts";

/** False when it is certain that no rule holds, also by what the shell text of the event does. */
export async function mayHoldByShell(index: KeptIndex, subject: Subject): Promise<boolean> {
  let found = keptCandidates(index, subject);
  while (found instanceof Promise) {
    await found;
    found = keptCandidates(index, subject);
  }
  return found.size > 0;
}
