import type { DecodedEvent, NativeReply } from "../adapters/adapter.ts";
import { adapterFor, USUAL_ADAPTER } from "../adapters/agents.ts";
import { readPayload } from "../adapters/read-payload.ts";
import type { EventConfig } from "../config/cache/event-config.ts";
import { permissionsDecide } from "../config/combine/apply.ts";
import { systemClock } from "../core/base/clock.ts";
import { isTenterhookError } from "../core/base/errors.ts";
import { isRecord } from "../core/base/json.ts";
import type { Decision } from "../core/decide/decision.ts";
import { recordDecisions } from "../journal/files.ts";
import type { Happened } from "../journal/record.ts";
import { reportedFrom } from "../monitor/report/agent-process.ts";
import { agentOf, DETECTED, isWatched } from "../monitor/report/detect.ts";
import { raceAbort, startDeadline } from "../node/process/deadline.ts";
import { repeatedKey } from "../shared/json-keys.ts";
import type { Answer, HookCall, Host } from "./call.ts";
import { type CallInput, type FiredCall, fireCall, withWarning } from "./fire-call.ts";
import { noteGuarded } from "./last-gate.ts";
import { withPending } from "./pending-context.ts";
import { usageReported } from "./usage.ts";

/**
 * Decides one call of `tenterhook hook`: read, recognise, find the configuration, fire, encode. The one way in which a
 * foreign agent's event is decided, in the daemon and in a process of its own. A gate is refused when it can't be
 * decided. Never rejects.
 *
 * @returns `undefined` when the host does not take calls of this configuration.
 */
export async function decide(call: HookCall, host: Host): Promise<Answer | undefined> {
  if (call.isLastGate !== true) return decideCall(call, host);
  const deadline = startDeadline(call.signal, LAST_GATE_MILLISECONDS);
  const { signal } = deadline;
  const late = () => refusal(TOO_LATE, call.environment, call.text);
  try {
    const answer = await raceAbort(decideCall({ ...call, signal }, host), signal, TIDYING);
    return answer === undefined || !deadline.passed() ? answer : { ...answer, reply: await late() };
  } catch {
    // It does not end when it is told to.
    return { reply: await late(), after: async () => {}, isLate: true };
  } finally {
    deadline.end();
  }
}

/** The module in an agent waits longer than both. */
const LAST_GATE_MILLISECONDS = 20_000;
const TIDYING = { clock: systemClock, milliseconds: 2000 };
const TOO_LATE = `The hooks did not decide within ${LAST_GATE_MILLISECONDS / 1000} s.`;

async function decideCall(call: HookCall, host: Host): Promise<Answer | undefined> {
  const { text, environment } = call;
  const isLastGate = call.isLastGate === true;
  try {
    const native = await readPayload(text, environment, call.cwd);
    const { adapter, event } = native;
    const { config: found, notice } = await host.findConfig(native, event.hook_event_name);
    if (!host.takes(found)) return undefined;
    const config = await ofAgent(found, event, environment);
    if (isLastGate && isConfigured(config)) noteGuarded(native.places, environment);
    const fired = await fireCall({
      call,
      host,
      adapter,
      event,
      config,
      configOf: async (name) => ofAgent((await host.findConfig(native, name)).config, event, environment),
    });
    const isCut = call.signal.aborted;
    // What waits for the agent is not the module's to take.
    const whole =
      isCut || isLastGate ? fired.decision : withPending(fired.decision, event, adapter, environment);
    const encode = (decision: typeof whole) =>
      adapter.encode(decision, event, config.settings.degrade, environment);
    const reply = encode(whole);
    const noticed = notice === undefined ? reply : encode(withWarning(whole, notice));
    // Before the reply: a call whose reply gets lost is decided and recorded again, under the same id.
    if (fired.recorded === undefined)
      recordDecisions(fired.decided, environment, fired.happened ?? lost(fired.decision, reply));
    const isReported =
      Object.hasOwn(DETECTED, event.hook_event_name) && isWatched(config.settings.monitor, environment);
    // Before the reply: what is above the call may end with it.
    const from = isReported ? reportedFrom(call.parent) : undefined;
    return {
      // When the warning would cost a part of the decision, the decision counts.
      reply: noticed.losses.length > reply.losses.length ? reply : noticed,
      after: () => doRest(fired, from, { call, host, adapter, event, config }).catch(() => undefined),
      config,
    };
  } catch (error) {
    const reply = await refusal(`tenterhook could not decide: ${messageOf(error)}`, environment, text);
    return { reply, after: async () => {} };
  }
}

/** True when somebody wants something of calls here; our own guard goes for every folder. */
function isConfigured(config: EventConfig): boolean {
  return (
    config.hooks.some(({ hook: { origin } }) => origin.file !== "tenterhook") ||
    permissionsDecide(config, "PreToolUse")
  );
}

/** The configuration with what the monitor does for this agent. */
async function ofAgent(
  config: EventConfig,
  event: DecodedEvent,
  environment: NodeJS.ProcessEnv,
): Promise<EventConfig> {
  if (config.settings.monitor.agents === undefined) return config;
  const { settingsOfAgent } = await import("../shared/monitor/trigger-settings.ts");
  const { host, agent_type } = event;
  const agent = { agent_id: agentOf(event, environment), agent_type, host };
  const monitor = settingsOfAgent(config.settings.monitor, agent);
  return { ...config, settings: { ...config.settings, monitor } };
}

/** What comes of a decision that the agent can't carry out as it is. */
function lost({ action }: Decision, { losses }: NativeReply): Happened | undefined {
  const refused = losses.find(({ became }) => became === "deny");
  if (refused !== undefined && action !== "deny") return { action: "deny", reason: refused.message };
  const open = losses.find(({ effect }) => effect === "deny" || effect === "ask" || effect === "keep_going");
  return open?.became === "observe" ? { action: "continue", reason: open.message } : undefined;
}

/** What need not delay the agent. */
async function doRest(
  fired: FiredCall,
  from: { readonly from: object } | undefined,
  { call, host, adapter, event, config }: Omit<CallInput, "configOf">,
): Promise<void> {
  const asyncHooks = await fired.asyncHooks();
  const [first] = fired.decided;
  if (first !== undefined && from !== undefined) {
    const usage = await usageReported(first.event, event, adapter, config.prices);
    (await import("./report-event.ts")).reportEvent(first, adapter, call, { ...from, usage });
  }
  if (first !== undefined && asyncHooks.length > 0)
    await host.runAsync({ hooks: asyncHooks, event_id: first.event.event_id }, call);
  await fired.close();
}

/** What an agent reads when nothing could be decided about its payload, whatever that is. Never rejects. */
export async function refusal(
  reason: string,
  environment: NodeJS.ProcessEnv,
  text = "",
): Promise<NativeReply> {
  const payload = knownPayload(text);
  const adapter = await adapterFor(payload ?? {}, environment).catch(() => USUAL_ADAPTER);
  return adapter.refuse(payload, reason, environment);
}

/** `undefined` for a payload that can't be read, and for one that may name two events: nobody knows which one is refused. */
function knownPayload(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const payload: unknown = JSON.parse(text);
    return isRecord(payload) && repeatedKey(text)?.depth !== 1 ? payload : undefined;
  } catch {
    return undefined;
  }
}

function messageOf(error: unknown): string {
  if (isTenterhookError(error)) return `${error.code}: ${error.message} ${error.hint}`;
  return error instanceof Error ? error.message : String(error);
}
