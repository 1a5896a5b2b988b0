import type { Adapter, DecodedEvent, NativeReply } from "../../adapters/adapter.ts";
import { isOwnEvent } from "../../adapters/declare-events.ts";
import type { EventConfig } from "../../config/cache/kept.ts";
import { brokenText } from "../../config/combine/broken.ts";
import type { Decision } from "../../core/decide/decision.ts";
import type { Decided } from "../../core/decide/observers.ts";
import { EVENTS, type EventRow } from "../../core/events/event-table.ts";
import type { Hooks } from "../../core/hooks.ts";
import type { Prompt } from "../../monitor/prompt.ts";
import { holdOf } from "../../monitor/prompt.ts";
import { eventHooks } from "./event-hooks.ts";
import { continuationsBefore, sessionRecords } from "./history.ts";
import { hasHadTurn, takeTurn } from "./once.ts";
import type { Saying } from "./saying.ts";
import { guardVerdict } from "./startup/guard-verdict.ts";

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
  /** Writes down what was decided, now; answers why it can't. */
  readonly record: (decided: readonly Decided[]) => string | undefined;
  /** How far the agent has been answered, and how it is refused. */
  readonly guard: { readonly saying: Saying; readonly refuse: (reason: string) => NativeReply };
}

/** What was decided. */
export interface Deciding {
  readonly reply: NativeReply;
  /** What is to be written down, the event itself first; nothing when another process has. */
  readonly decided: readonly Decided[];
  /** Set when that has been done. */
  readonly recorded?: true;
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
  const encoded = (decision: Decision): NativeReply =>
    adapter.encode(decision, event, config.settings.degrade);
  checkKnown(config, adapter, event);
  const claimed =
    prompt === undefined && isRepeatable(config, adapter, event)
      ? undefined
      : await (await import("./duplicate-calls.ts")).claimEvent(event, config, environment);
  if (claimed !== undefined && "decision" in claimed)
    return {
      reply: encoded(claimed.decision),
      decided: [],
      beside: async () => [],
      close: async () => undefined,
    };
  try {
    const { decision, ...deciding } = counted(await decideFirst(given), given);
    claimed?.claim.answered(decision, isStop(adapter, event));
    const reply = encoded(decision);
    const noticed = notice === undefined ? reply : encoded(withNotice(decision, notice));
    // Where a message would keep the agent from hearing the rest, the rest counts.
    return { ...deciding, reply: noticed.losses.length > reply.losses.length ? reply : noticed };
  } catch (error) {
    claimed?.claim.released();
    throw error;
  }
}

/**
 * Nobody knows whether an event that is in no table can be refused; with a configuration that can't be read it is, as
 * every gate is.
 *
 * @throws Error with what is wrong with the configuration.
 */
function checkKnown({ broken }: EventConfig, adapter: Adapter, { hook_event_name }: DecodedEvent) {
  if (broken?.last_good !== false || !isOwnEvent(hook_event_name)) return;
  if (adapter.declarations[hook_event_name] === undefined) throw new Error(brokenText(broken));
}

function withNotice(decision: Decision, text: string): Decision {
  const message = { text, level: "warning", hook: "tenterhook" } as const;
  return { ...decision, user_messages: [...decision.user_messages, message] };
}

/** True when being decided twice makes no difference: rules say the same again, and remember nothing. */
function isRepeatable({ hooks }: EventConfig, adapter: Adapter, event: DecodedEvent): boolean {
  if (hooks.length > 0 && isStop(adapter, event)) return false;
  return hooks.every(({ hook, rules }) => rules !== undefined && hook.definition.once !== true);
}

type First = Omit<Deciding, "reply"> & { readonly decision: Decision };

async function decideFirst(given: ToDecide): Promise<First> {
  const { adapter, event, environment, prompt, configOf, guard } = given;
  const { config, told } = withHistory(given);
  // Rules are through before anybody could end us, and run nobody's code.
  const endless = prompt === undefined && config.hooks.every(({ rules }) => rules !== undefined);
  if (!endless) guardVerdict(guard.saying, guard.refuse);
  const beside: string[] = [];
  const hooks = await eventHooks(config, {
    adapter,
    event: event.hook_event_name,
    beside: (name) => beside.push(name),
    takeTurn: (name, at) => takeTurn(name, at, environment),
  });
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
    const others = await eventHooks(asks, {
      adapter,
      event: asked.hook_event_name,
      takeTurn: (name, at) => takeTurn(name, at, environment),
    });
    const said = await fired(others, asked, signal);
    await others.settled();
    await others.close();
    all.push(...said.decided);
    return said.decision;
  };
  const { prompted } = await import("./prompted.ts");
  const hold = holdOf(config.settings.monitor.on_prompt);
  const last = await prompted({ adapter, prompt, event, decision, hold, environment, signal, askHooks });
  return { decision: last, decided: all, ...rest };
}

/** What was decided, and what is to be written down of it. */
interface Fired {
  readonly decision: Decision;
  readonly decided: readonly Decided[];
}

/** Fires an event; answers what was decided, and what is to be written down of it. */
async function fired(hooks: Hooks, event: DecodedEvent, signal: AbortSignal | undefined): Promise<Fired> {
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

/** True for an event at which hooks can keep a turn going: it has a ceiling. */
function isStop(adapter: Adapter, { hook_event_name }: DecodedEvent): boolean {
  const table: Readonly<Record<string, Pick<EventRow, "effects">>> = EVENTS;
  const own = isOwnEvent(hook_event_name) ? adapter.declarations[hook_event_name] : undefined;
  return (own ?? table[hook_event_name])?.effects.includes("keep_going") === true;
}

/** What a process that lives on would remember: how often a turn was kept going, and which `once` hooks are done. */
function withHistory({ adapter, event, config, environment }: ToDecide) {
  // A hook that is not trusted has had no turn, and refuses until it is.
  const hooks = config.hooks.filter(
    ({ hook: { name, definition, untrusted } }) =>
      definition.once !== true || untrusted !== undefined || !hasHadTurn(name, event, environment),
  );
  const told = { config: { ...config, hooks }, told: event };
  if (config.hooks.length === 0 || !isStop(adapter, event)) return told;
  const continuations = continuationsBefore(event, sessionRecords(event.session_id, environment));
  return { ...told, told: { ...event, continuations } };
}

/** Has a turn go on only when that is written down: what nobody can count has no ceiling. */
function counted(first: First, { record }: ToDecide): First {
  const { decision, decided } = first;
  if (decision.keep_going === undefined) return first;
  const problem = record(decided);
  if (problem === undefined) return { ...first, recorded: true };
  const { keep_going: _, ...ends } = decision;
  const text = `A hook wants the turn to go on. It ends: ${problem}, so that nobody could count how often it did.`;
  return { ...first, decision: withNotice(ends, text) };
}
