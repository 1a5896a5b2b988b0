import type { Adapter, DecodedEvent, NativeReply } from "../../adapters/adapter.ts";
import type { EventConfig } from "../../config/cache/kept.ts";
import type { Decision } from "../../core/decision.ts";
import type { Hooks } from "../../core/hooks.ts";
import type { Decided } from "../../core/observers.ts";
import { holdOf } from "../../monitor/hold.ts";
import type { Prompt } from "../../monitor/prompt.ts";
import { eventHooks } from "./event-hooks.ts";
import { continuationsBefore, hooksRunBefore, sessionRecords } from "./history.ts";

/** An event to be decided. */
export interface ToDecide {
  readonly adapter: Adapter;
  readonly event: DecodedEvent;
  readonly config: EventConfig;
  readonly environment: NodeJS.ProcessEnv;
  /** Set when the event says that the agent is about to wait for a human. */
  readonly prompt: Prompt | undefined;
  /** What the user is to be told beside. */
  readonly notice: string | undefined;
  /** What another event is decided by. */
  readonly configOf: (event: DecodedEvent) => Promise<EventConfig>;
}

/** What was decided. */
export interface Deciding {
  readonly reply: NativeReply;
  /** What is to be written down, the event itself first; nothing when another process has. */
  readonly decided: readonly Decided[];
  /** The hooks whose turn it is to run beside the event. */
  readonly beside: () => Promise<readonly string[]>;
  /** Ends what hooks keep alive. */
  readonly close: () => Promise<void>;
}

/**
 * Decides an event by the engine: the whole way, for what could not be cleared without it. A call that the agent makes
 * twice is decided once.
 */
export async function decide(given: ToDecide): Promise<Deciding> {
  const { adapter, event, config, environment, prompt, notice } = given;
  const { degrade } = config.settings;
  const claimed =
    prompt === undefined && isRepeatable(config, event)
      ? undefined
      : await (await import("./claim.ts")).claimEvent(event, config, environment);
  if (claimed !== undefined && "decision" in claimed)
    return {
      reply: adapter.encode(claimed.decision, event, degrade),
      decided: [],
      beside: async () => [],
      close: async () => undefined,
    };
  try {
    const { decision, ...deciding } = await decideFirst(given);
    claimed?.claim.answered(decision, STOPS.has(event.hook_event_name));
    const reply = adapter.encode(decision, event, degrade);
    const noticed =
      notice === undefined ? reply : adapter.encode(withNotice(decision, notice), event, degrade);
    // Where a message would keep the agent from hearing the rest, the rest counts.
    return { ...deciding, reply: noticed.losses.length > reply.losses.length ? reply : noticed };
  } catch (error) {
    claimed?.claim.released();
    throw error;
  }
}

function withNotice(decision: Decision, text: string): Decision {
  const message = { text, level: "warning", hook: "tenterhook" } as const;
  return { ...decision, user_messages: [...decision.user_messages, message] };
}

/** True when being decided twice makes no difference: rules say the same again, and remember nothing. */
function isRepeatable({ hooks }: EventConfig, { hook_event_name }: DecodedEvent): boolean {
  if (hooks.length > 0 && STOPS.has(hook_event_name)) return false;
  return hooks.every(({ hook, rules }) => rules !== undefined && hook.definition.once !== true);
}

type First = Omit<Deciding, "reply"> & { readonly decision: Decision };

async function decideFirst(given: ToDecide): Promise<First> {
  const { adapter, event, environment, prompt, configOf } = given;
  const { config, told } = withHistory(given.config, event, environment);
  const beside: string[] = [];
  const hooks = await eventHooks(config, {
    declarations: adapter.declarations,
    beside: (name) => beside.push(name),
  });
  // Rules are through before anybody could end us.
  const endless = prompt === undefined && config.hooks.every(({ rules }) => rules !== undefined);
  const signal = endless ? undefined : endedByAgent();
  const { decision, decided } = await fired(hooks, told, signal);
  const rest = {
    beside: async () => {
      await hooks.settled();
      return beside;
    },
    close: () => hooks.close(),
  };
  if (prompt === undefined || signal === undefined) return { decision, decided, ...rest };
  const all = [...decided];
  const askHooks = async (): Promise<Decision | undefined> => {
    const asked = promptEvent(event, prompt);
    const asks = await configOf(asked);
    if (asks.hooks.length === 0) return undefined;
    const others = await eventHooks(asks, { declarations: adapter.declarations });
    const said = await fired(others, asked, signal);
    await others.settled();
    await others.close();
    all.push(...said.decided);
    return said.decision;
  };
  const { prompted } = await import("./prompted.ts");
  const hold = holdOf(config.settings.monitor.on_prompt);
  const last = await prompted({ prompt, event, decision, hold, environment, signal, askHooks });
  return { decision: last, decided: all, ...rest };
}

/** Fires an event; answers what was decided, and what is to be written down of it. */
async function fired(hooks: Hooks, event: DecodedEvent, signal: AbortSignal | undefined) {
  const decided: Decided[] = [];
  hooks.observeDecisions((one) => {
    if (one.event.hook_event_name === event.hook_event_name) decided.push(one);
  });
  const decision = await hooks.fireUntyped(event, signal === undefined ? {} : { signal });
  return { decision, decided };
}

/** The event that an agent waits for a human, beside the one that shows it. */
function promptEvent(event: DecodedEvent, prompt: Prompt): DecodedEvent {
  const { session_id, cwd, host, native, agent_id, parent_agent_id, turn_id, transcript_path } = event;
  const who = { session_id, cwd, host, native, agent_id, parent_agent_id, turn_id, transcript_path };
  return { hook_event_name: "AgentPrompt", ...who, ...prompt };
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
