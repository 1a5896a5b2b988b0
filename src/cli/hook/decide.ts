import type { Adapter, DecodedEvent, NativeReply } from "../../adapters/adapter.ts";
import type { EventConfig } from "../../config/cache/kept.ts";
import type { Decision } from "../../core/decision.ts";
import type { Decided } from "../../core/observers.ts";
import { eventHooks } from "./event-hooks.ts";
import { continuationsBefore, hooksRunBefore, sessionRecords } from "./history.ts";

/** What was decided. */
export interface Deciding {
  readonly reply: NativeReply;
  /** What is to be written down; nothing when another process has. */
  readonly decided: Decided | undefined;
  /** The hooks whose turn it is to run beside the event. */
  readonly beside: () => Promise<readonly string[]>;
  /** Ends what hooks keep alive. */
  readonly close: () => Promise<void>;
}

/**
 * Decides an event by the engine: the whole way, for what could not be cleared without it. A call that the agent makes
 * twice is decided once.
 */
export async function decide(
  adapter: Adapter,
  event: DecodedEvent,
  given: EventConfig,
  environment: NodeJS.ProcessEnv,
): Promise<Deciding> {
  const claimed = isRepeatable(given, event)
    ? undefined
    : await (await import("./claim.ts")).claimEvent(event, given, environment);
  if (claimed !== undefined && "decision" in claimed)
    return {
      reply: adapter.encode(claimed.decision, event, given.settings.degrade),
      decided: undefined,
      beside: async () => [],
      close: async () => undefined,
    };
  try {
    const deciding = await decideFirst(adapter, event, given, environment);
    claimed?.claim.answered(deciding.decision, STOPS.has(event.hook_event_name));
    return deciding;
  } catch (error) {
    claimed?.claim.released();
    throw error;
  }
}

/** True when being decided twice makes no difference: rules say the same again, and remember nothing. */
function isRepeatable({ hooks }: EventConfig, { hook_event_name }: DecodedEvent): boolean {
  if (hooks.length > 0 && STOPS.has(hook_event_name)) return false;
  return hooks.every(({ hook, rules }) => rules !== undefined && hook.definition.once !== true);
}

async function decideFirst(
  adapter: Adapter,
  event: DecodedEvent,
  given: EventConfig,
  environment: NodeJS.ProcessEnv,
): Promise<Deciding & { readonly decision: Decision }> {
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
  // Rules are through before anybody could end us.
  const signal = config.hooks.every(({ rules }) => rules !== undefined) ? undefined : endedByAgent();
  const decision = await hooks.fireUntyped(told, signal === undefined ? {} : { signal });
  return {
    reply: adapter.encode(decision, event, config.settings.degrade),
    decision,
    decided,
    beside: async () => {
      await hooks.settled();
      return beside;
    },
    close: () => hooks.close(),
  };
}

const ENDINGS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** Aborted when the agent ends us before its time: what hooks have started is then ended too. */
function endedByAgent(): AbortSignal {
  const ending = new AbortController();
  for (const name of ENDINGS)
    process.once(name, () => ending.abort(new Error(`The agent ended tenterhook (${name}).`)));
  return ending.signal;
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
