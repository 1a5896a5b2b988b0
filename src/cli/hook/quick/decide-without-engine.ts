import type { DecodedEvent } from "../../../adapters/adapter.ts";
import type { EventConfig, EventHook } from "../../../config/cache/event-config.ts";
import { permissionsDecide } from "../../../config/permission-rules.ts";
import { idSequence } from "../../../core/base/clock.ts";
import type { Decided } from "../../../core/decide/observers.ts";
import { checkedEvent } from "../../../core/events/build-event.ts";
import { type KnownEvent, TABLE_EVENTS } from "../../../core/events/known-events.ts";
import { canonicalToolOf } from "../../../core/match/tool-names.ts";
import { PROMPT_TOOLS } from "../../../monitor/prompt.ts";
import { nodeRulePorts } from "../../../node/rule-ports.ts";
import { type Subject, sharedSubject } from "../../../rules/fields/subject.ts";
import { candidateRules } from "../../../rules/index/rule-index.ts";
import { saysNothing } from "./plain-line.ts";

/**
 * The decision about an event to which certainly no hook has anything to say: only rules are asked, and none of them
 * can hold. Most calls are of this kind, and loading the engine costs more than everything else they do. Returns
 * `undefined` whenever there is a doubt. Never rejects.
 */
export async function decideWithoutEngine(
  config: EventConfig,
  given: DecodedEvent,
  eventId?: string,
): Promise<Decided | undefined> {
  const { broken, vanished, trust, settings } = config;
  const known = TABLE_EVENTS.get(given.hook_event_name);
  if (known === undefined || needsEngine(known)) return undefined;
  if (broken !== undefined || vanished !== undefined || trust.state === "untrusted") return undefined;
  if (Object.keys(settings.permissions).length > 0 && permissionsDecide(config, known.name)) return undefined;
  const time = Date.now();
  const event_id = eventId ?? idSequence(time)();
  try {
    const event = checkedEvent(given, known, { event_id, seq: 1, time });
    const tool = canonicalToolOf(event);
    if (tool !== undefined && PROMPT_TOOLS.has(tool)) return undefined;
    const hooks = matchingHooks(config, known.name, tool);
    if (hooks === undefined) return undefined;
    const asked = hooks.filter(({ hook }) => !saysNothing(hook, event));
    if (asked.length > 0 && (await anyMayHold(asked, sharedSubject(event, nodeRulePorts)))) return undefined;
    const runs = hooks.map(({ hook: { name } }) => {
      return { name, handler: "inline", event_id, started_at: event.timestamp, duration_ms: 0 };
    });
    const decision = { action: "continue", context: [], user_messages: [], hook_inputs: [], runs } as const;
    return { event, decision };
  } catch {
    // The engine reports what is wrong with the event.
    return undefined;
  }
}

/** True for an event of which rules see more than the agent sent, such as earlier failures, or that may ask a human. */
function needsEngine({ name, allowed }: KnownEvent): boolean {
  return ["Error", "Notification", "PermissionRequest"].includes(name) || allowed.has("keep_going");
}

interface RuleHook {
  readonly hook: EventHook["hook"];
  readonly rules: NonNullable<EventHook["rules"]>;
}

/**
 * The hooks that match, in order; `undefined` unless all decide by rules, match by events and tool names alone, and read
 * only what the agent sent.
 */
function matchingHooks(
  { hooks }: EventConfig,
  event: string,
  tool: string | undefined,
): readonly RuleHook[] | undefined {
  const matching: RuleHook[] = [];
  for (const { hook, rules } of hooks) {
    const { events } = hook.definition.matcher;
    if (!(typeof events === "string" ? events === event : events.includes(event))) continue;
    if (rules?.matched === undefined) return undefined;
    const { tools } = rules.matched;
    if (tools !== undefined && (tool === undefined || !tools.includes(tool))) continue;
    if (hook.reads_usage === true) return undefined;
    matching.push({ hook, rules });
  }
  return matching;
}

async function anyMayHold(hooks: readonly RuleHook[], subject: Subject): Promise<boolean> {
  for (const { rules } of hooks) {
    let candidates = candidateRules(rules.index, subject);
    while (candidates instanceof Promise) {
      await candidates;
      candidates = candidateRules(rules.index, subject);
    }
    if (candidates.length > 0) return true;
  }
  return false;
}
