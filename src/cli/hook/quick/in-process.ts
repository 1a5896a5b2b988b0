import { adapterFor } from "../../../adapters/agents.ts";
import { readCachedEvent } from "../../../config/cache/read-cache.ts";
import { isRecord } from "../../../core/base/json.ts";
import { repeatedKey } from "../../../core/base/json-keys.ts";
import { promptOf } from "../../../monitor/prompt.ts";
import { withUsage } from "../../usage/with-usage.ts";
import { decideWithoutEngine } from "./decide-without-engine.ts";
import { quickReply, record } from "./quick-reply.ts";

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
    const payload: unknown = JSON.parse(text);
    if (!isRecord(payload) || repeatedKey(text) !== undefined) return undefined;
    const adapter = await adapterFor(payload, environment);
    const decoded = adapter.decode(payload);
    const { cwd, hook_event_name } = decoded;
    const project = environment[adapter.projectVariable ?? ""];
    const places = { cwd, environment, ...(project ? { project } : {}) };
    const config = readCachedEvent(places, hook_event_name, () => {
      throw new Error("The cached rules are damaged.");
    });
    if (config === undefined || promptOf(decoded) !== undefined) return undefined;
    const event = await withUsage(decoded, adapter, config);
    const decided = await decideWithoutEngine(config, event);
    if (decided === undefined) return undefined;
    const reply = quickReply(decided, { adapter, event, config, environment });
    record([decided], environment);
    return reply.exit_code === 0 ? reply.stdout : undefined;
  } catch {
    return undefined;
  }
}
