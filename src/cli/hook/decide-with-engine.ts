import type { Adapter, DecodedEvent, NativeReply } from "../../adapters/adapter.ts";
import { isOwnEvent } from "../../adapters/declare-events.ts";
import type { EventConfig, EventHook } from "../../config/cache/event-config.ts";
import { brokenText } from "../../config/combine/broken.ts";
import { isRecord } from "../../core/base/json.ts";
import type { Decision } from "../../core/decide/decision.ts";
import type { Choose, FireOptions } from "../../core/decide/event-scope.ts";
import type { Decided } from "../../core/decide/observers.ts";
import type { EventRow } from "../../core/events/event-row.ts";
import { eventRow } from "../../core/events/event-table.ts";
import type { AnyEvent } from "../../core/events/payloads.ts";
import type { Hooks } from "../../core/hooks.ts";
import { holdOf, type Prompt, promptOf } from "../../monitor/prompt.ts";
import { recordDecisions } from "../../stores/journal/files.ts";
import { withUsage } from "../usage/with-usage.ts";
import { withPending } from "./background/pending-context.ts";
import { eventHooks } from "./event-hooks.ts";
import type { AskedTime } from "./human-prompt.ts";
import { claimOnce, hasRunOnce } from "./once-hooks.ts";
import type { WarmProcess } from "./served/warm/loaded-handlers.ts";
import { guardStdout, guardVerdict } from "./startup/guard-verdict.ts";
import type { Reply } from "./startup/write-reply.ts";
import { turnBefore } from "./turn-history.ts";

/** An event to be decided. */
export interface EngineInput {
  readonly adapter: Adapter;
  readonly event: DecodedEvent;
  /** The payload as the agent sent it. */
  readonly text: string;
  readonly config: EventConfig;
  readonly environment: NodeJS.ProcessEnv;
  /** When the agent made the call, in milliseconds since 1970; now when not given. */
  readonly called?: number;
  /** A warning for the user. */
  readonly notice: string | undefined;
  /** The id for the event, when it is known. */
  readonly eventId?: string | undefined;
  /** Finds what decides another event. */
  readonly configOf: (event: string) => Promise<EventConfig>;
  /** Set in a process that decides many events. When one of its hooks ends it, another process decides the event. */
  readonly warm?: WarmProcess;
  /** Of the reply that is protected from the code of hooks. */
  readonly state: Reply;
}

/** The same, with what only the engine needs. */
interface PreparedInput extends EngineInput {
  /** Set when the event says that the agent is about to wait for a human. */
  readonly prompt: Prompt | undefined;
}

export interface EngineResult {
  readonly reply: NativeReply;
  /** What has to be recorded, the event itself first; nothing when another process has done it. */
  readonly decided: readonly Decided[];
  /** Set when that has been done. */
  readonly recorded?: true;
  /** The names of the asynchronous hooks that matched. */
  readonly asyncHooks?: () => Promise<readonly string[]>;
  /** Closes what hooks keep open. */
  readonly close?: () => Promise<void>;
}

/** Decides an event by the engine. A call that the agent makes twice is decided once. */
export async function decideWithEngine(given: EngineInput): Promise<EngineResult> {
  const { adapter, config, environment, notice, called = Date.now() } = given;
  const event = await withUsage(given.event, adapter, config);
  const prompt = promptOf(event);
  const input = { ...given, event, prompt };
  const encode = (decision: Decision): NativeReply =>
    adapter.encode(decision, event, config.settings.degrade);
  refuseUnknownEvent(config, adapter, event);
  const claimed =
    prompt === undefined && isRepeatable(config, adapter, event)
      ? undefined
      : await (await import("./duplicate-calls.ts")).claimEvent(event, config, environment, called);
  if (claimed !== undefined && "decision" in claimed) {
    // Hooks that run one after another have all of their contexts read.
    const again = adapter.nextPayload === undefined ? {} : { context: [] };
    return { reply: encode({ ...claimed.decision, ...again }), decided: [] };
  }
  try {
    const { decision, ...result } = recordContinuation(await fireEvent(input), input);
    // Nobody is to get what an ended hook has answered.
    input.warm?.signal.throwIfAborted();
    const isRepeated = adapter.nextPayload === undefined && mayComeAgain(adapter, event);
    claimed?.claim.publish(decision, isRepeated, nextEvent(adapter, event, decision));
    const whole = withPending(decision, event, adapter, environment);
    const reply = encode(whole);
    const noticed = notice === undefined ? reply : encode(withWarning(whole, notice));
    // When the warning would cost a part of the decision, the decision counts.
    return { ...result, reply: noticed.losses.length > reply.losses.length ? reply : noticed };
  } catch (error) {
    claimed?.claim.release();
    throw error;
  }
}

/**
 * Nobody knows whether an event that is in no table is a gate, so it is refused like one when the configuration can't be
 * read.
 *
 * @throws Error that says what is wrong with the configuration.
 */
function refuseUnknownEvent({ broken }: EventConfig, adapter: Adapter, { hook_event_name }: DecodedEvent) {
  if (broken?.last_good !== false || !isOwnEvent(hook_event_name)) return;
  if (adapter.declarations[hook_event_name] === undefined) throw new Error(brokenText(broken));
}

function withWarning(decision: Decision, text: string): Decision {
  const message = { text, level: "warning", hook: "tenterhook" } as const;
  return { ...decision, user_messages: [...decision.user_messages, message] };
}

/** The event as the agent's next hook gets it, when it is another one. */
function nextEvent(adapter: Adapter, event: DecodedEvent, decision: Decision): DecodedEvent | undefined {
  if (decision.input === undefined && decision.prompt === undefined) return undefined;
  const native = adapter.nextPayload?.(event.native, decision);
  return native === undefined ? undefined : adapter.decode(native);
}

/** True when the configuration says what happens when the agent ends its turn. */
function hasStopTrigger({ settings }: EventConfig, { hook_event_name }: DecodedEvent): boolean {
  return hook_event_name === "Stop" && settings.monitor.on_stop !== undefined;
}

/** True when deciding twice makes no difference: rules give the same result again and remember nothing. */
function isRepeatable(config: EventConfig, adapter: Adapter, event: DecodedEvent): boolean {
  return countsNothing(config, adapter, event) && config.hooks.every(({ rules }) => rules !== undefined);
}

/** True when only the hooks themselves may remember something of an event. */
export function countsNothing(config: EventConfig, adapter: Adapter, event: DecodedEvent): boolean {
  const { hooks } = config;
  if (hasStopTrigger(config, event)) return false;
  if (hooks.length > 0 && adapter.nextPayload !== undefined) return false;
  if (hooks.length > 0 && canContinueTurn(adapter, event)) return false;
  return hooks.every(({ hook }) => hook.definition.once !== true);
}

type Fired = Omit<EngineResult, "reply"> & { readonly decision: Decision };

async function fireEvent(input: PreparedInput): Promise<Fired> {
  const { adapter, environment, prompt, eventId, configOf, state, warm } = input;
  const { config, event, turn_so_far } = withHistory(input);
  const { hook_event_name } = event;
  // Rules run nobody's code, and are done before the agent could end this process.
  const onlyRules =
    prompt === undefined &&
    !hasStopTrigger(config, event) &&
    config.hooks.every(({ rules }) => rules !== undefined);
  if (warm === undefined) {
    if (!onlyRules) guardVerdict(state, (reason) => adapter.refuse(event.native, reason));
    if (prompt !== undefined || config.hooks.some(runsHere)) guardStdout(state);
    await watch(config, hook_event_name);
  }
  const signal = onlyRules ? undefined : (warm?.signal ?? abortedByAgent());
  const asyncHooks: string[] = [];
  const once = (name: string, at: AnyEvent) => claimOnce(name, at, environment);
  const onAsync = (name: string): void => {
    asyncHooks.push(name);
  };
  const hooks = await eventHooks(config, {
    adapter,
    event: hook_event_name,
    onAsync,
    claimOnce: once,
    eventId,
    warm,
  });
  const asked = { milliseconds: 0 };
  const choose = signal && choosing(input, signal, asked);
  const options = { signal, payload: input.text, turn_so_far, choose };
  const { decision, decided } = await fire(hooks, event, options);
  const rest = {
    asyncHooks: async () => {
      await hooks.settled();
      return asyncHooks;
    },
    close: () => hooks.close(),
  };
  if (hasStopTrigger(config, event)) {
    const { actAtStop } = await import("./stop-trigger.ts");
    const acted = await actAtStop({ adapter, event, config, environment, decision }, options);
    return { decision: acted, decided: decided.map((one) => ({ ...one, decision: acted })), ...rest };
  }
  if (prompt === undefined || signal === undefined) return { decision, decided, ...rest };
  const all = [...decided];
  const askHooks = async (): Promise<Decision | undefined> => {
    const shown = promptEvent(input.event, prompt);
    const promptConfig = await configOf(shown.hook_event_name);
    if (promptConfig.hooks.length === 0) return undefined;
    const { hook_event_name } = shown;
    await watch(promptConfig, hook_event_name);
    const others = await eventHooks(promptConfig, { adapter, event: hook_event_name, claimOnce: once });
    const fired = await fire(others, shown, { signal });
    await others.settled();
    await others.close();
    all.push(...fired.decided);
    return fired.decision;
  };
  const { answerPrompt } = await import("./human-prompt.ts");
  const answered = await answerPrompt({ ...input, prompt, config, decision, signal, askHooks, asked });
  return { decision: answered, decided: all, ...rest };
}

/** Offers the options of hooks that ask, where events wait for the monitor's answers. */
function choosing(
  { config, event, environment }: EngineInput,
  signal: AbortSignal,
  asked: AskedTime,
): Choose | undefined {
  const hold = holdOf(config.settings.monitor, "question");
  if (hold === undefined) return undefined;
  return async (choice) => {
    const { chooseInMonitor } = await import("./human-prompt.ts");
    return chooseInMonitor(hold, { event, environment, signal, asked })(choice);
  };
}

/** True for a hook that may run other people's code in this process: programs and servers are not in it. */
function runsHere({ hook: { definition }, rules }: EventHook): boolean {
  return rules === undefined && definition.type !== "command" && definition.type !== "http";
}

/** Watches this process when an event's hooks run code in it: modules, and compositions with one. */
async function watch(config: EventConfig, event: string): Promise<void> {
  const hooks = config.hooks.filter(
    (one) =>
      runsHere(one) &&
      one.hook.untrusted === undefined &&
      one.hook.definition.async !== true &&
      JSON.stringify(one.hook.definition).includes('"module":'),
  );
  if (hooks.length === 0) return;
  const { startWatchdog, watchOf } = await import("./watchdog.ts");
  startWatchdog(watchOf({ ...config, hooks }, event));
}

async function fire(hooks: Hooks, event: DecodedEvent, options: FireOptions) {
  const decided: Decided[] = [];
  hooks.observeDecisions((one) => {
    if (one.event.hook_event_name === event.hook_event_name) decided.push(one);
  });
  const decision = await hooks.fireUntyped(event, options);
  return { decision, decided };
}

/** The event that an agent waits for a human, made from the one that shows it. */
function promptEvent(event: DecodedEvent, prompt: Prompt): DecodedEvent {
  const { session_id, cwd, host, native, agent_id, parent_agent_id, turn_id, transcript_path } = event;
  const who = { session_id, cwd, host, native, agent_id, parent_agent_id, turn_id, transcript_path };
  return { hook_event_name: "AgentPrompt", ...who, ...prompt };
}

/** Aborted when the agent ends this process early, so that what hooks have started is ended too. */
function abortedByAgent(): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
    process.once(name, () => controller.abort(new Error(`The agent ended tenterhook (${name}).`)));
  return controller.signal;
}

/** True for an event at which hooks can continue a turn, which has a ceiling. */
function canContinueTurn(adapter: Adapter, event: DecodedEvent): boolean {
  return effectsAt(adapter, event).includes("keep_going");
}

/** True for an event that can follow its own answer with the same payload: a stop, or a question that is asked again. */
function mayComeAgain(adapter: Adapter, event: DecodedEvent): boolean {
  return canContinueTurn(adapter, event) || effectsAt(adapter, event).includes("answer");
}

function effectsAt(adapter: Adapter, { hook_event_name }: DecodedEvent): EventRow["effects"] {
  const own = isOwnEvent(hook_event_name) ? adapter.declarations[hook_event_name] : undefined;
  return (own ?? eventRow(hook_event_name))?.effects ?? [];
}

/** Adds what a long-lived process would remember: what was counted of the turn, and which `once` hooks have run. */
function withHistory({ adapter, event, config, environment }: EngineInput) {
  // A hook that is not trusted has not run, and refuses until it is.
  const hooks = config.hooks.filter(
    ({ hook: { name, definition, untrusted } }) =>
      definition.once !== true || untrusted !== undefined || !hasRunOnce(name, event, environment),
  );
  const current = { ...config, hooks };
  const isCounted = config.hooks.length > 0 || hasStopTrigger(config, event);
  if (!isCounted || !canContinueTurn(adapter, event)) return { config: current, event };
  const { turn_so_far, ...fields } = turnBefore(event, adapter, environment);
  // What a turn has used counts towards its limit as the transcript of the whole turn says it.
  const usage = isRecord(event.usage) ? { usage: { ...event.usage, ...fields.usage } } : {};
  return { config: current, event: { ...event, ...fields, ...usage }, turn_so_far };
}

/** Lets a hook continue the turn only when that could be recorded: otherwise nothing would count towards the ceiling. */
function recordContinuation(fired: Fired, { environment }: EngineInput): Fired {
  const { decision, decided } = fired;
  if (decision.keep_going === undefined) return fired;
  const problem = recordDecisions(decided, environment);
  if (problem === undefined) return { ...fired, recorded: true };
  const { keep_going: _, ...ends } = decision;
  const text = `A hook asked to continue the turn. The turn ends anyway: ${problem}, so continuations can't be counted.`;
  return { ...fired, decision: withWarning(ends, text) };
}
