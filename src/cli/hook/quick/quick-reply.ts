import type { Adapter, DecodedEvent, NativeReply } from "../../../adapters/adapter.ts";
import type { EventConfig } from "../../../config/cache/event-config.ts";
import type { Decided } from "../../../core/decide/observers.ts";
import { journalFolder } from "../../../stores/journal/files.ts";
import { Journal } from "../../../stores/journal/journal.ts";
import { withPending } from "../background/pending-context.ts";

/** The reply to an event that was decided without the engine. */
export function quickReply(
  { decision }: Decided,
  given: {
    readonly adapter: Adapter;
    readonly event: DecodedEvent;
    readonly config: EventConfig;
    readonly environment: NodeJS.ProcessEnv;
  },
): NativeReply {
  const { adapter, event, config, environment } = given;
  return adapter.encode(withPending(decision, event, adapter, environment), event, config.settings.degrade);
}

/** Records decisions now. Returns what went wrong. */
export function record(decided: readonly Decided[], environment: NodeJS.ProcessEnv): string | undefined {
  let problem: string | undefined;
  const report = (): void => {
    problem = `the journal in ${journalFolder(environment)} can't be written`;
  };
  const journal = new Journal({ environment, report });
  for (const one of decided) journal.recordNow(one);
  return problem;
}
