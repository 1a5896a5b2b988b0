import { type Adapter, type DecodedEvent, lastText } from "../adapters/adapter.ts";
import type { EventConfig } from "../config/cache/event-config.ts";
import type { Decision } from "../core/decide/decision.ts";
import type { FireOptions } from "../core/decide/fired-event.ts";
import { keepGoing } from "../core/events/outcomes.ts";
import type { HookContext } from "../core/ports.ts";
import { ACTION } from "../monitor/report/actions.ts";
import { ownEvents, reportedFrom } from "../monitor/report/agent-process.ts";
import { runCheck } from "../monitor/report/check.ts";
import { agentOf } from "../monitor/report/detect.ts";
import { DEFAULT_SECONDS, messageOf } from "../monitor/report/due.ts";
import { notifyMonitor, spooledBy } from "../monitor/report/spool.ts";
import { isDone, recordsOf } from "../monitor/report/stop-signals.ts";
import { secondsIn, type TriggerSettings, triggerOf } from "../shared/monitor/trigger-settings.ts";
import type { HookCall, Host } from "./call.ts";
import { eventHooks } from "./event-hooks.ts";

/** A stop that the configuration's hooks let happen. */
export interface StopInput {
  readonly adapter: Adapter;
  readonly event: DecodedEvent;
  readonly config: EventConfig;
  readonly call: HookCall;
  readonly host: Host;
  /** What was decided about it so far. */
  readonly decision: Decision;
}

/** More than the command of a check needs to end. */
const MARGIN_SECONDS = 10;

/**
 * Does what `on_stop` says about a stop that no hook prevented. It runs as a hook of its own, so that the ceilings of a turn
 * hold for it, too. Returns the decision with what it adds.
 */
export async function actAtStop(input: StopInput, options: FireOptions): Promise<Decision> {
  const { adapter, call, host, event, config, decision } = input;
  const trigger = triggerOf(config.settings.monitor, "on_stop");
  if (trigger === undefined || decision.keep_going !== undefined || decision.abort !== undefined)
    return decision;
  const { broken: _, vanished: __, ...rest } = config;
  const { root } = config.trust;
  const bare = { ...rest, hooks: [], trust: { root, state: "nothing", untrusted: [] } } as const;
  const hooks = await eventHooks(bare, { adapter, call, host, event: event.hook_event_name });
  const timeout = secondsIn(trigger, "timeout", DEFAULT_SECONDS.check) + MARGIN_SECONDS;
  hooks.on("Stop", { name: "tenterhook:on_stop", timeout }, (_event, context) =>
    act(input, trigger, context),
  );
  const ofTrigger = await hooks.fireUntyped(event, options);
  await hooks.close();
  return {
    ...decision,
    ...(ofTrigger.keep_going === undefined ? {} : { keep_going: ofTrigger.keep_going }),
    user_messages: [...decision.user_messages, ...ofTrigger.user_messages],
    runs: [...decision.runs, ...ofTrigger.runs],
  };
}

async function act(input: StopInput, trigger: TriggerSettings, context: HookContext) {
  switch (trigger.action) {
    case "nudge":
    case "auto":
      return nudge(input, trigger);
    case "check": {
      await check(input, trigger, context.signal);
      return undefined;
    }
    case "escalate":
    case "resume":
    case "answer":
    case "done":
    case "fail":
      report(input, { action: trigger.action, ...lastContext(input) });
      return undefined;
    default:
      return trigger.action satisfies never;
  }
}

/** Keeps the agent going, as often as the configuration allows in a turn; then a human is asked. */
function nudge(input: StopInput, trigger: TriggerSettings) {
  const { event } = input;
  const { environment, parent } = input.call;
  const agent_id = agentOf(event, environment);
  const { session_id } = event;
  if (
    trigger.action === "auto" &&
    isDone(recordsOf(session_id, ownEvents(spooledBy(agent_id, environment), parent)))
  )
    return undefined;
  const count = typeof event.continuations === "number" ? event.continuations : 0;
  // An agent that signals its state ends by itself; the ceilings of a turn end one that does not.
  const { attempts = trigger.action === "auto" ? "forever" : 1 } = trigger;
  if (attempts !== "forever" && count >= attempts) {
    const why = count === 0 ? "" : `The monitor kept it going ${count === 1 ? "once" : `${count} times`}.`;
    report(input, { action: "escalate", why, ...lastContext(input) });
    return undefined;
  }
  report(input, { action: trigger.action, attempt: count + 1 });
  return keepGoing(messageOf({ agent_id, session_id }, trigger));
}

async function check(input: StopInput, trigger: TriggerSettings, signal: AbortSignal): Promise<void> {
  const { event, config } = input;
  const { environment } = input.call;
  const { run = "" } = trigger;
  const timeout = secondsIn(trigger, "timeout", DEFAULT_SECONDS.check);
  const variables = {
    TENTERHOOK_AGENT_ID: agentOf(event, environment),
    TENTERHOOK_SESSION_ID: event.session_id,
  };
  const { root: cwd } = config.trust;
  const { ok, ...result } = await runCheck({ run, timeout, cwd, variables, environment, signal });
  report(input, ok ? { action: "done" } : { action: "escalate", run, timeout, ...result });
}

function lastContext({ adapter, event }: StopInput): { readonly context?: string } {
  const context = lastText(adapter, event.native);
  return { context };
}

/** Tells the monitor what was done here; it has nothing more to do. */
function report(
  { event, call: { environment, parent } }: StopInput,
  fields: Readonly<Record<string, unknown>>,
): void {
  notifyMonitor(
    { type: ACTION, trigger: "on_stop", in_hook: true, host: event.host, ...reportedFrom(parent), ...fields },
    { agent: agentOf(event, environment), payload: event, environment },
  );
}
