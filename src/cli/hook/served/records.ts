import { Journal } from "../../../stores/journal/journal.ts";
import type { DecidedCall, WarmCall } from "./decide-call.ts";
import type { HookCall, Variables } from "./protocol.ts";

interface Answered {
  readonly call: HookCall;
  readonly result: DecidedCall | WarmCall | undefined;
}

/** Records decided calls together. Returns the variables whose records could not be written. */
export type RecordCalls = (answered: readonly Answered[]) => ReadonlySet<Variables>;

/** A journal stays as long as the variables of its agent are remembered: its folder and its secrets follow from them. */
export function newRecordCalls(): RecordCalls {
  const journals = new WeakMap<Variables, Journal>();
  return (answered) => {
    const failed = new Set<Variables>();
    const used = new Map<Variables, Journal>();
    for (const { call, result } of answered) {
      if (result === undefined || !("decided" in result)) continue;
      const { variables } = call;
      const journal = journals.get(variables) ?? newJournal(variables, journals);
      used.set(variables, journal);
      for (const one of result.decided) journal.record(one);
      result.report?.();
    }
    for (const [variables, journal] of used) {
      journal.flush();
      // It removes itself when it could not write.
      if (!journals.has(variables)) failed.add(variables);
    }
    return failed;
  };
}

function newJournal(variables: Variables, journals: WeakMap<Variables, Journal>): Journal {
  const journal = new Journal({
    environment: variables.environment,
    report: () => void journals.delete(variables),
  });
  journals.set(variables, journal);
  return journal;
}
