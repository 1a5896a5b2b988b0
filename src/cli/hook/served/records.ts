import type { Decided } from "../../../core/decide/observers.ts";
import { Journal } from "../../../stores/journal/journal.ts";
import type { Variables } from "./read-call.ts";

/** Records decisions about a call with these variables now. False when they could not be written. */
export type RecordDecided = (decided: readonly Decided[], variables: Variables) => boolean;

/** A journal stays as long as the variables of its agent are remembered: its folder and its secrets follow from them. */
export function newRecord(): RecordDecided {
  const journals = new WeakMap<Variables, Journal>();
  return (decided, variables) => {
    let written = true;
    const known = journals.get(variables);
    const journal =
      known ??
      new Journal({
        environment: variables.environment,
        report: () => {
          written = false;
          // It reports once only.
          journals.delete(variables);
        },
      });
    journals.set(variables, journal);
    for (const one of decided) journal.recordNow(one);
    return journals.has(variables) && written;
  };
}
