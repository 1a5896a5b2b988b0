import type { Adapter, DecodedEvent, NativeReply } from "../../../adapters/adapter.ts";
import { readPayload } from "../../../adapters/agents.ts";
import type { EventConfig, EventHook } from "../../../config/cache/event-config.ts";
import type { rememberedEvents } from "../../../config/cache/remembered-events.ts";
import type { Decided } from "../../../core/decide/observers.ts";
import { DETECTED, isWatched } from "../../../monitor/detect.ts";
import { promptOf } from "../../../monitor/prompt.ts";
import { usageReported } from "../../usage/with-usage.ts";
import { hasPending } from "../background/pending-context.ts";
import { reportEvent } from "../background/report-event.ts";
import { countsNothing, decideWithEngine } from "../decide-with-engine.ts";
import { decideWithoutEngine } from "../quick/decide-without-engine.ts";
import { NEW_REPLY } from "../startup/write-reply.ts";
import { type Watch, watchOf } from "../watchdog.ts";
import type { CallReply, HookCall } from "./protocol.ts";
import { staysLoaded, type WarmProcess } from "./warm/loaded-handlers.ts";

/** What `tenterhook hook` would do about a call. */
export interface DecidedCall {
  readonly reply: CallReply;
  /** What has to be recorded. */
  readonly decided: readonly Decided[];
  /** Tells the monitor, where it is to know. Never throws. */
  readonly report?: () => void;
}

/** A call for a process that keeps handlers. */
export interface WarmCall {
  /** How long that process may show no sign. */
  readonly watch: Watch;
  /** True when code of hooks runs in it. */
  readonly runs_code: boolean;
}

export type CachedConfig = ReturnType<typeof rememberedEvents>;

/** A call, and what decides it. */
interface Parts {
  readonly call: HookCall;
  readonly adapter: Adapter;
  readonly event: DecodedEvent;
  readonly config: EventConfig;
}

/**
 * Decides a call; `undefined` whenever it must be decided by a process of its own, and a {@link WarmCall} when one
 * that keeps handlers can do it. Nothing is recorded yet. This process must have the call's folder and variables. Never rejects.
 *
 * @param warm Set in a process that keeps handlers.
 */
export async function decideCall(
  call: HookCall,
  cached: CachedConfig,
  warm?: WarmProcess,
): Promise<DecidedCall | WarmCall | undefined> {
  try {
    const { adapter, event, places } = await readPayload(call.text, call.variables.environment);
    const config = cached(places, event.hook_event_name);
    if (config === undefined) return undefined;
    const parts = { call, adapter, event, config };
    if (!isTaken(parts)) return undefined;
    if (warm === undefined && config.hooks.some(isWarm)) return warmCall(config, event);
    const { reply, decided } = await decide(parts, warm);
    const report = await reportOf(decided[0], parts);
    return { reply: asWritten(reply), decided, ...(report && { report }) };
  } catch {
    return undefined;
  }
}

/** Their reports look at the calling process, or at a whole transcript. */
const NOT_TAKEN: readonly string[] = ["SessionStart", "Stop", "SubagentStop"];

/**
 * True for an event whose hooks are taken, and of which nothing is counted, taken out of a file, looked up in the
 * calling process or left to a human.
 */
function isTaken({ call, adapter, event, config }: Parts): boolean {
  return (
    countsNothing(config, adapter, event) &&
    areTaken(config.hooks) &&
    config.hooks.every(({ hook }) => hook.definition.async !== true) &&
    !NOT_TAKEN.includes(event.hook_event_name) &&
    promptOf(event) === undefined &&
    !hasPending(event, call.variables.environment)
  );
}

/** Commands and servers are taken only together with a hook that stays loaded: by themselves they have nothing to keep. */
function areTaken(hooks: readonly EventHook[]): boolean {
  const isCommandOrServer = ({ hook: { definition } }: EventHook): boolean =>
    definition.type === "command" || definition.type === "http";
  const others = hooks.filter((one) => one.rules === undefined && !isWarm(one));
  return others.length === 0 || (hooks.some(isWarm) && others.every(isCommandOrServer));
}

function isWarm({ hook }: EventHook): boolean {
  return staysLoaded(hook.definition);
}

function warmCall(config: EventConfig, { hook_event_name }: DecodedEvent): WarmCall {
  const hooks = config.hooks.filter(({ rules }) => rules === undefined);
  // Nothing else can block the process.
  const modules = hooks.filter(({ hook }) => hook.definition.type === "module");
  const runs_code = modules.length > 0;
  return { watch: watchOf({ ...config, hooks: runs_code ? modules : hooks }, hook_event_name), runs_code };
}

/** A reply as it is written: stderr ends with a new line. */
export function asWritten({ stdout, stderr, exit_code }: NativeReply): CallReply {
  return { stdout, stderr: stderr === "" ? "" : `${stderr}\n`, exit_code };
}

interface Result {
  readonly reply: NativeReply;
  readonly decided: readonly Decided[];
}

async function decide({ call, ...parts }: Parts, warm: WarmProcess | undefined): Promise<Result> {
  const { adapter, event, config } = parts;
  const quick = await decideWithoutEngine(config, event, call.id);
  // Context that waits for the session would have left the call to its own process.
  if (quick !== undefined)
    return { reply: adapter.encode(quick.decision, event, config.settings.degrade), decided: [quick] };
  const { reply, decided, close } = await decideWithEngine({
    ...parts,
    ...(warm && { warm }),
    text: call.text,
    environment: call.variables.environment,
    notice: undefined,
    eventId: call.id,
    configOf: async () => config,
    state: { ...NEW_REPLY },
  });
  await close?.();
  return { reply, decided };
}

/** What tells the monitor about an event; `undefined` where it is not to know. */
async function reportOf(
  first: Decided | undefined,
  { call, adapter, event, config }: Parts,
): Promise<DecidedCall["report"]> {
  const { environment } = call.variables;
  if (first === undefined || !Object.hasOwn(DETECTED, event.hook_event_name)) return undefined;
  if (!isWatched(config.settings.monitor, environment)) return undefined;
  const usage = await usageReported(first.event, event, adapter, config.prices);
  return () => reportEvent(first, adapter, environment, usage);
}
