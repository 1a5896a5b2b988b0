import type { Adapter, DecodedEvent, NativeReply } from "../../adapters/adapter.ts";
import type { EventConfig } from "../../config/cache/kept.ts";
import type { Decided } from "../../core/observers.ts";
import { eventHooks } from "./event-hooks.ts";
import { continuationsBefore, hooksRunBefore, sessionRecords } from "./history.ts";

/** What the engine decided. */
export interface Deciding {
  readonly reply: NativeReply;
  readonly decided: Decided | undefined;
  /** The hooks whose turn it is to run beside the event. */
  readonly beside: () => Promise<readonly string[]>;
  /** Ends what hooks keep alive. */
  readonly close: () => Promise<void>;
}

/** Decides an event by the engine: the whole way, for what could not be cleared without it. */
export async function decide(
  adapter: Adapter,
  event: DecodedEvent,
  given: EventConfig,
  environment: NodeJS.ProcessEnv,
): Promise<Deciding> {
  const { config, told } = withHistory(given, event, environment);
  const beside: string[] = [];
  const hooks = await eventHooks(config, {
    declarations: adapter.declarations,
    beside: (name) => beside.push(name),
  });
  let decided: Decided | undefined;
  hooks.observeDecisions((one) => {
    if (one.event.hook_event_name === event.hook_event_name) decided = one;
  });
  const decision = await hooks.fireUntyped(told);
  return {
    reply: adapter.encode(decision, event, config.settings.degrade),
    decided,
    beside: async () => {
      await hooks.settled();
      return beside;
    },
    close: () => hooks.close(),
  };
}

const STOPS: ReadonlySet<string> = new Set(["Stop", "SubagentStop", "claude:TeammateIdle"]);

/** What a process that lives on would remember: how often a turn was kept going, and which `once` hooks are done. */
function withHistory(config: EventConfig, event: DecodedEvent, environment: NodeJS.ProcessEnv) {
  const isStop = STOPS.has(event.hook_event_name);
  const hasOnce = config.hooks.some(({ hook }) => hook.definition.once === true);
  if (config.hooks.length === 0 || !(isStop || hasOnce)) return { config, told: event };
  const records = sessionRecords(event.session_id, environment);
  const done = hooksRunBefore(records);
  const hooks = config.hooks.filter(({ hook }) => hook.definition.once !== true || !done.has(hook.name));
  const told = isStop ? { ...event, continuations: continuationsBefore(event, records) } : event;
  return { config: { ...config, hooks }, told };
}
