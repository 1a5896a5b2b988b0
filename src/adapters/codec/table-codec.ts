import { TenterhookError } from "../../core/base/errors.ts";
import { isRecord } from "../../core/base/json.ts";
import type { Decision } from "../../core/decide/decision.ts";
import { EFFECTS, type Effect } from "../../core/events/effects.ts";
import type { EventDeclaration } from "../../core/events/known-events.ts";
import type { Adapter, DecodedEvent, Degrade, EncodedEvent, NativePayload, NativeReply } from "../adapter.ts";
import { type AgentTable, type Draft, isGate, nativeOf, ownName, rowOf } from "./agent-table.ts";
import { degraded } from "./degrade.ts";
import { checkUnknownName } from "./event-name.ts";

/** The part of an adapter that follows from its table. */
export type TableCodec = Pick<
  Adapter,
  "name" | "declarations" | "decode" | "encode" | "takesContext" | "refuse"
>;

/** Decodes payloads and encodes decisions as an agent's table says. */
export function tableCodec<Form extends string>(table: AgentTable<Form>): TableCodec {
  let declared: Record<`${string}:${string}`, EventDeclaration> | undefined;
  return {
    name: table.name,
    /** Built on first use: most calls are about none of these events. */
    get declarations() {
      declared ??= Object.fromEntries(
        Object.entries(table.events).flatMap(([native, { declares }]) =>
          declares === undefined ? [] : [[ownName(table, native), declares]],
        ),
      );
      return declared;
    },
    decode: (payload) => decode(table, payload),
    encode: (decision, event, degrade = {}) => encode(table, decision, event, degrade),
    takesContext: (event) => {
      const { says, context_for } = rowOf(table, nativeName(table, event));
      return says.context !== undefined && context_for === undefined;
    },
    refuse: (payload, reason) => refuse(table, payload, reason),
  };
}

/**
 * Converts a payload to our event. Fields we do not know stay as they are. Missing fields stay missing: the engine
 * reports them, which refuses on a gate.
 *
 * @throws TenterhookError `invalid_event` when the payload has no event name, or one that only looks like a gate's.
 */
function decode<Form extends string>(table: AgentTable<Form>, payload: NativePayload): DecodedEvent {
  const native = eventOf(table, payload);
  if (native === undefined || native === "")
    throw new TenterhookError("invalid_event", `The payload of ${table.title} has no hook_event_name.`);
  if (!Object.hasOwn(table.events, native)) checkUnknownName(table, native);
  const { event, adds, renames = {} } = rowOf(table, native);
  const fields: Record<string, unknown> = { ...payload, ...adds };
  for (const [from, to] of Object.entries(renames)) {
    fields[to] = fields[from];
    delete fields[from];
  }
  const { session_id, cwd, ...rest } = { ...fields, ...table.complete?.(native, payload) };
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

/** The reply that makes the agent do what was decided. */
function encode<Form extends string>(
  table: AgentTable<Form>,
  decision: Decision,
  event: EncodedEvent,
  degrade: Degrade,
): NativeReply {
  const native = nativeName(table, event);
  const row = rowOf(table, native);
  const hears = new Set<Effect>();
  const because: Partial<Record<Effect, string>> = {};
  for (const effect of EFFECTS) {
    const form = row.says[effect];
    if (form === undefined) continue;
    const unfit = table.unfit?.(effect, form, decision, event) ?? false;
    if (unfit === false) hears.add(effect);
    else if (typeof unfit === "string") because[effect] = unfit;
  }
  const {
    decision: expressed,
    effects,
    losses,
  } = degraded(decision, { agent: table.title, event: native, hears, because, gate: isGate(row), degrade });
  const draft: Draft = { top: {}, specific: {}, text: "", stderr: "", exit_code: 0, messages: [] };
  for (const effect of effects) {
    const form = row.says[effect];
    if (form !== undefined) table.forms[form](draft, expressed, event.native);
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

/** The reply when nothing could be decided: a refusal, unless the event can't be refused. */
function refuse<Form extends string>(table: AgentTable<Form>, payload: unknown, reason: string): NativeReply {
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
  return encode(table, refusal, { hook_event_name: native, native: payload }, {});
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
