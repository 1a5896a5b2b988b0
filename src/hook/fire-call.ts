import type { Adapter, DecodedEvent } from "../adapters/adapter.ts";
import type { EventConfig } from "../config/cache/event-config.ts";
import { brokenText } from "../config/combine/broken.ts";
import { isRecord } from "../core/base/json.ts";
import type { Decision } from "../core/decide/decision.ts";
import type { Choose, FireOptions } from "../core/decide/fired-event.ts";
import type { Decided } from "../core/decide/observers.ts";
import type { EventRow } from "../core/events/event-row.ts";
import { eventRow, isGateEvent } from "../core/events/event-table.ts";
import { isOwnEvent } from "../core/events/known-events.ts";
import type { AnyEvent } from "../core/events/payloads.ts";
import type { Hooks } from "../core/hooks.ts";
import { recordDecisions } from "../journal/files.ts";
import type { Happened } from "../journal/record.ts";
import { holdOf, type Prompt, promptOf } from "../monitor/report/prompt.ts";
import type { HookCall, Host } from "./call.ts";
import { eventHooks } from "./event-hooks.ts";
import type { AskedTime } from "./held-prompt.ts";
import { callVerdicts } from "./last-gate.ts";
import { claimOnce, hasRunOnce } from "./once-hooks.ts";
import { turnBefore } from "./turn-history.ts";
import { withUsage } from "./usage.ts";

export interface CallInput {
  readonly call: HookCall;
  readonly host: Host;
  readonly adapter: Adapter;
  readonly event: DecodedEvent;
  readonly config: EventConfig;
  /** Finds what decides another event. */
  readonly configOf: (event: string) => Promise<EventConfig>;
  /** True when the call was judged already, with another input. */
  readonly again?: true;
}

/** The same, with what is known of its event. */
interface PreparedInput extends CallInput {
  /** Set when the event says that the agent is about to wait for a human. */
  readonly prompt: Prompt | undefined;
}

/** A call about which hooks have decided. */
export interface FiredCall {
  readonly decision: Decision;
  /** What has to be recorded, the event itself first; nothing when another process has done it. */
  readonly decided: readonly Decided[];
  /** Set when somebody answered what the agent asks. */
  readonly happened?: Happened;
  /** Set when that has been done. */
  readonly recorded?: true;
  /** The names of the asynchronous hooks that matched. */
  readonly asyncHooks: () => Promise<readonly string[]>;
  /** Closes what hooks keep open. */
  readonly close: () => Promise<void>;
}

/** Fires the event of a call. Each input of the call is judged once, whoever asks; one that was changed on the way, by the gates. */
export async function fireCall(given: CallInput): Promise<FiredCall> {
  const { call, config, event } = given;
  const verdicts = callVerdicts(event, config, call);
  if (verdicts?.same !== undefined) return decidedBefore(verdicts.same);
  const isAgain = call.isLastGate === true && verdicts?.isChanged === true;
  const fired = await fireOnce(isAgain ? { ...given, config: gatesOf(config), again: true } : given);
  const judged = fired.decided.filter(({ decision }) => decision.runs.length > 0);
  if (!call.signal.aborted && judged.length > 0) verdicts?.keep(fired.decision);
  // A settings hook that was called has recorded that no hook wanted the call.
  return call.isLastGate === true ? { ...fired, decided: judged } : fired;
}

/** What needs neither to be recorded nor to be done again. */
function decidedBefore(decision: Decision): FiredCall {
  return { decision, decided: [], asyncHooks: async () => [], close: async () => {} };
}

/** The configuration with the hooks that judge a rewritten input, too. */
function gatesOf(config: EventConfig): EventConfig {
  const hooks = config.hooks.filter(({ hook: { definition } }) => {
    const { observe, async, mode, recheck } = definition;
    return observe !== true && async !== true && mode !== "shadow" && recheck !== false;
  });
  return { ...config, hooks };
}

/** Fires the event of a call. A call that the agent makes twice is decided once. */
async function fireOnce(given: CallInput): Promise<FiredCall> {
  const { call, adapter, config } = given;
  refuseUnknownEvent(config, adapter, given.event);
  const event = await withUsage(given.event, adapter, config);
  const prompt = call.isLastGate === true ? undefined : promptOf(event);
  const input = { ...given, event, prompt };
  // The last gate asks once, and what was decided a moment ago may be about another folder.
  const isAlone = call.isLastGate === true || (prompt === undefined && isRepeatable(config, adapter, event));
  const claimed = isAlone
    ? undefined
    : await (await import("./duplicate-calls.ts")).claimEvent(event, config, call);
  if (claimed !== undefined && "decision" in claimed) {
    // Hooks that run one after another have all of their contexts read.
    const again = adapter.nextPayload === undefined ? {} : { context: [] };
    return decidedBefore({ ...claimed.decision, ...again });
  }
  try {
    const result = await fireEvent(input);
    // The hooks were cut off, so this is no decision. Whoever decides the call again runs them again.
    if (call.signal.aborted) {
      claimed?.claim.release();
      return { ...result, decided: [] };
    }
    const fired = recordContinuation(result, call.environment);
    // What a human has answered counts for this call alone.
    const isRepeated =
      adapter.nextPayload === undefined && (mayComeAgain(adapter, event) || fired.happened !== undefined);
    claimed?.claim.publish(fired.decision, isRepeated, nextEvent(adapter, event, fired.decision));
    return fired;
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
function refuseUnknownEvent(
  { broken, trust }: EventConfig,
  adapter: Adapter,
  { hook_event_name }: DecodedEvent,
) {
  if (broken?.last_good !== false || !isOwnEvent(hook_event_name)) return;
  if (adapter.declarations[hook_event_name] === undefined) throw new Error(brokenText(broken, trust.root));
}

export function withWarning(decision: Decision, text: string): Decision {
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
  const { hooks } = config;
  if (hasStopTrigger(config, event)) return false;
  if (hooks.length > 0 && (adapter.nextPayload !== undefined || canContinueTurn(adapter, event)))
    return false;
  return hooks.every(({ hook, rules }) => rules !== undefined && hook.definition.once !== true);
}

async function fireEvent(input: PreparedInput): Promise<FiredCall> {
  const { adapter, call, host, prompt, configOf } = input;
  const { environment, signal } = call;
  const { config, event, turn_so_far } = withHistory(input);
  const asyncHooks: string[] = [];
  const onAsync = (name: string): void => {
    asyncHooks.push(name);
  };
  const once = (name: string, at: AnyEvent) => claimOnce(name, at, environment);
  const hooks = await eventHooks(config, {
    adapter,
    call,
    host,
    event: event.hook_event_name,
    onAsync,
    // A hook that runs once has not run with this.
    ...(input.again === true ? {} : { claimOnce: once }),
    eventId: call.id,
  });
  const asked = { milliseconds: 0, prompts: 0 };
  const options = { signal, payload: call.text, turn_so_far, choose: choosing(input, asked) };
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
    const acted = await actAtStop({ ...input, event, config, decision }, options);
    return { decision: acted, decided: decided.map((one) => ({ ...one, decision: acted })), ...rest };
  }
  if (prompt === undefined) return { decision, decided, ...rest };
  const all = [...decided];
  const askOthers = async (other: DecodedEvent): Promise<Decision | undefined> => {
    const otherConfig = await configOf(other.hook_event_name);
    if (otherConfig.hooks.length === 0) return undefined;
    const at = { adapter, call, host, event: other.hook_event_name, claimOnce: once };
    const others = await eventHooks(otherConfig, at);
    const fired = await fire(others, other, { signal });
    await others.settled();
    await others.close();
    all.push(...fired.decided);
    return fired.decision;
  };
  const askHooks = () => askOthers(promptEvent(input.event, prompt));
  const { answerPrompt } = await import("./human-prompt.ts");
  const answered = await answerPrompt({
    ...{ adapter, call, event, prompt, config, decision, asked, askHooks, ask: host.askFor(call) },
    check: (hook_event_name, tool_input) => askOthers({ ...event, hook_event_name, tool_input }),
  });
  return { ...answered, decided: all, ...rest };
}

/** Offers the options of hooks that ask, where events wait for the monitor's answers. */
function choosing({ config, event, call, host }: CallInput, asked: AskedTime): Choose | undefined {
  const hold = holdOf(config.settings.monitor, "question");
  if (hold === undefined || call.isLastGate === true) return undefined;
  return async (choice) => {
    const { chooseInMonitor } = await import("./human-prompt.ts");
    return chooseInMonitor(hold, { event, call, asked, ask: host.askFor(call) })(choice);
  };
}

async function fire(hooks: Hooks, event: DecodedEvent, options: FireOptions) {
  const decided: Decided[] = [];
  hooks.observe({
    onDecision: (one) => {
      if (one.event.hook_event_name === event.hook_event_name) decided.push(one);
    },
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

/** True for an event at which hooks can continue a turn, which has a ceiling. */
function canContinueTurn(adapter: Adapter, event: DecodedEvent): boolean {
  return effectsAt(adapter, event).includes("keep_going");
}

/** True for an event that can follow its own answer with the same payload: a stop, or a question that is asked again. */
function mayComeAgain(adapter: Adapter, event: DecodedEvent): boolean {
  // At a gate, an answer takes the place of what would happen.
  const isQuestion = !isGateEvent(event.hook_event_name) && effectsAt(adapter, event).includes("answer");
  return canContinueTurn(adapter, event) || isQuestion;
}

function effectsAt(adapter: Adapter, { hook_event_name }: DecodedEvent): EventRow["effects"] {
  const own = isOwnEvent(hook_event_name) ? adapter.declarations[hook_event_name] : undefined;
  return (own ?? eventRow(hook_event_name))?.effects ?? [];
}

/** Adds what a long-lived process would remember: what was counted of the turn, and which `once` hooks have run. */
function withHistory({ adapter, event, config, call: { environment } }: CallInput) {
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
function recordContinuation(fired: FiredCall, environment: NodeJS.ProcessEnv): FiredCall {
  const { decision, decided } = fired;
  if (decision.keep_going === undefined) return fired;
  const problem = recordDecisions(decided, environment);
  if (problem === undefined) return { ...fired, recorded: true };
  const { keep_going: _, ...ends } = decision;
  const text = `A hook asked to continue the turn. The turn ends anyway: ${problem}, so continuations can't be counted.`;
  return { ...fired, decision: withWarning(ends, text) };
}
