import { readPayload } from "../../../adapters/agents.ts";
import { readCachedEvent } from "../../../config/cache/read-cache.ts";
import { recordDecisions } from "../../../stores/journal/files.ts";
import { withPending } from "../background/pending-context.ts";
import { decideWithoutEngine } from "./decide-without-engine.ts";

/**
 * What `tenterhook hook` would write about an event to which certainly no hook has anything to say, decided in the
 * process of the agent that loaded our plug-in. `undefined` whenever a process of its own has to decide: for code of
 * hooks, for refusals, and when nothing is cached. Never rejects.
 */
export async function decideInProcess(
  text: string,
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  try {
    const { adapter, event, places } = await readPayload(text, environment);
    const config = readCachedEvent(places, event.hook_event_name)?.config;
    const decided = config && (await decideWithoutEngine(config, event));
    if (config === undefined || decided === undefined) return undefined;
    const decision = withPending(decided.decision, event, adapter, environment);
    const { stdout, exit_code } = adapter.encode(decision, event, config.settings.degrade);
    recordDecisions([decided], environment);
    return exit_code === 0 ? stdout : undefined;
  } catch {
    return undefined;
  }
}
