import { TenterhookError } from "../../core/base/errors.ts";
import { isRecord } from "../../core/base/json.ts";
import type { Decision } from "../../core/decide/decision.ts";
import { EFFECTS, type Effect } from "../../core/events/effects.ts";
import { EVENTS, isGateEvent } from "../../core/events/event-table.ts";
import { REWRITTEN } from "../../core/events/known-events.ts";
import type { Adapter, DecodedEvent, Degrade, EncodedEvent, NativePayload, NativeReply } from "../adapter.ts";
import { type AgentTable, type Draft, isGate, nativeOf, ownName, rowOf } from "./agent-table.ts";
import { degraded } from "./degrade.ts";
import { payloadOf } from "./payload-of.ts";

/** The part of an adapter that follows from its table. */
export type TableCodec = Pick<
  Adapter,
  "name" | "asks" | "declarations" | "decode" | "encode" | "takesContext" | "refuse" | "payloadOf"
>;

/** Decodes payloads and encodes decisions as an agent's table says. */
export function tableCodec<Form extends string>(table: AgentTable<Form>): TableCodec {
  return {
    name: table.name,
    asks: table.asks,
    declarations: Object.fromEntries(
      Object.entries(table.events).flatMap(([native, { declares }]) =>
        declares === undefined ? [] : [[ownName(table, native), declares]],
      ),
    ),
    decode: (payload, folder = process.cwd()) => decode(table, payload, folder),
    encode: (decision, event, degrade = {}, environment = process.env) =>
      encode(table, decision, event, degrade, environment),
    takesContext: (event) => {
      const { says, context_for } = rowOf(table, nativeName(table, event));
      return says.context !== undefined && context_for === undefined;
    },
    refuse: (payload, reason, environment = process.env) => refuse(table, payload, reason, environment),
    payloadOf: (event) => payloadOf(table, event),
  };
}

/**
 * Converts a payload to our event. Fields we do not know stay as they are. Missing fields stay missing: the engine
 * reports them, which refuses on a gate.
 *
 * @throws TenterhookError `invalid_event` when the payload has no event name, or one that only looks like a gate's.
 */
function decode<Form extends string>(
  table: AgentTable<Form>,
  payload: NativePayload,
  folder: string,
): DecodedEvent {
  const native = eventOf(table, payload);
  if (native === undefined || native === "")
    throw new TenterhookError("invalid_event", `The payload of ${table.title} has no hook_event_name.`);
  if (!Object.hasOwn(table.events, native)) checkUnknownName(table, native);
  const row = rowOf(table, native);
  const { event, adds, renames = {} } = row;
  const fields: Record<string, unknown> = { ...payload, ...adds };
  for (const [from, to] of Object.entries(renames)) {
    fields[to] = fields[from];
    delete fields[from];
  }
  const { session_id, cwd, ...rest } = {
    ...fields,
    ...table.complete?.(payload, folder),
    ...row.fields?.(payload),
  };
  return {
    ...rest,
    hook_event_name: event ?? ownName(table, native),
    // The engine reports missing fields in the same words for every agent.
    session_id: typeof session_id === "string" ? session_id : "",
    cwd: typeof cwd === "string" ? cwd : "",
    host: table.name,
    native: payload,
  };
}

function encode<Form extends string>(
  table: AgentTable<Form>,
  decision: Decision,
  event: EncodedEvent,
  degrade: Degrade,
  environment: NodeJS.ProcessEnv,
): NativeReply {
  const native = nativeName(table, event);
  const row = rowOf(table, native);
  const unfit = (effect: Effect): string | boolean => {
    const form = row.says[effect];
    return form === undefined || (table.unfit?.(effect, form, decision, event, environment) ?? false);
  };
  const wanted = effectsOf(decision);
  const {
    decision: expressed,
    effects,
    losses,
  } = wanted.every((effect) => unfit(effect) === false)
    ? { decision, effects: wanted, losses: [] }
    : degraded(decision, wanted, { agent: table.title, event: native, unfit, gate: isGate(row), degrade });
  const draft: Draft = { top: {}, specific: {}, text: "", stderr: "", exit_code: 0, messages: [] };
  for (const effect of effects) {
    const form = row.says[effect];
    if (form !== undefined) table.forms[form](draft, expressed, event.native, environment);
  }
  if (expressed.native !== undefined) table.passOn?.(draft, expressed.native);
  const messages = new Set([
    ...draft.messages,
    ...expressed.user_messages.map(({ text }) => text),
    // A call that is allowed and goes on as usual is no news.
    ...losses.flatMap(({ effect, message }) => (effect === "allow" ? [] : [message])),
  ]);
  return table.write({ ...draft, messages: [...messages] }, native, losses);
}

/** Whether a decision has an effect. */
const HAS: Readonly<Record<Effect, (decision: Decision) => boolean>> = {
  allow: ({ action }) => action === "allow",
  ask: ({ action }) => action === "ask",
  deny: ({ action }) => action === "deny",
  rewrite: (decision) => Object.keys(REWRITTEN).some((field) => Reflect.get(decision, field) !== undefined),
  context: ({ context }) => context.length > 0,
  keep_going: ({ keep_going }) => keep_going !== undefined,
  answer: ({ answer }) => answer !== undefined,
  time_limit: ({ time_limit }) => time_limit !== undefined,
  retry: ({ retry }) => retry !== undefined,
  hook_input: ({ hook_inputs }) => hook_inputs.length > 0,
  abort: ({ abort }) => abort !== undefined,
  // These two need no form: messages go into every reply, and native keys are the reply's own.
  user_message: () => false,
  native: () => false,
};

/** The effects that a reply needs a form for, in the order of the table: the verdict first. */
export function effectsOf(decision: Decision): readonly Effect[] {
  return EFFECTS.filter((effect) => HAS[effect](decision));
}

/** The reply when nothing could be decided: a refusal, unless the event can't be refused. */
function refuse<Form extends string>(
  table: AgentTable<Form>,
  payload: unknown,
  reason: string,
  environment: NodeJS.ProcessEnv,
): NativeReply {
  const native = isRecord(payload) ? eventOf(table, payload) : undefined;
  // An unknown event may be a gate.
  if (native === undefined || !Object.hasOwn(table.events, native))
    return table.refuseUnknown?.(reason) ?? { stdout: "", stderr: reason, exit_code: 2, losses: [] };
  const isRefused = isGate(rowOf(table, native));
  const refusal: Decision = {
    action: isRefused ? "deny" : "continue",
    ...(isRefused ? { reason } : {}),
    context: [],
    user_messages: isRefused ? [] : [{ text: reason, level: "error", hook: "tenterhook" }],
    hook_inputs: [],
    runs: [],
  };
  return encode(table, refusal, { hook_event_name: native, native: payload }, {}, environment);
}

function eventOf(table: AgentTable, payload: NativePayload): string | undefined {
  if (table.eventOf !== undefined) return table.eventOf(payload);
  const { hook_event_name } = payload;
  return typeof hook_event_name === "string" ? hook_event_name : undefined;
}

/** The name the agent itself gave the event. */
function nativeName(table: AgentTable, { native, hook_event_name }: EncodedEvent): string {
  const name = isRecord(native) ? eventOf(table, native) : undefined;
  return name ?? nativeOf(table, hook_event_name) ?? hook_event_name;
}

/** The characters of a name that somebody would give to an event. */
const PLAIN = /^\w[\w.:-]*$/;

/**
 * Checks the name of an event that is not in an agent's table. A new event of the agent passes. A name that looks like a
 * gate's does not: hooks on the gate would not see it.
 *
 * @throws TenterhookError `invalid_event` for a name with other characters than names have, and for one that differs
 *   from a gate's only in case, in `-` and `_`, in letters that look alike, or by what follows it.
 */
function checkUnknownName(table: Pick<AgentTable, "title" | "events">, native: string): void {
  const shown = JSON.stringify(native.slice(0, 100));
  if (!PLAIN.test(native))
    throw new TenterhookError("invalid_event", `${shown} is not a name that an event can have.`);
  const plain = plainName(native);
  const gates = [
    ...Object.keys(table.events).filter((name) => isGate(table.events[name] ?? { says: {} })),
    ...Object.keys(EVENTS).filter(isGateEvent),
  ];
  const near = gates.find((name) => plain.startsWith(plainName(name)));
  if (near !== undefined)
    throw new TenterhookError(
      "invalid_event",
      `${table.title} has no event ${shown}; it looks like ${near}, whose hooks would not see it.`,
    );
}

/** Without what readers overlook: case, `-` and `_`, and letters that look like others (`I`, `1`, `0`, `rn`). */
function plainName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z\d]/g, "")
    .replaceAll(/[i1]/g, "l")
    .replaceAll("0", "o")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w");
}
