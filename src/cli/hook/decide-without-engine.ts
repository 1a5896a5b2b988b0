import type { DecodedEvent } from "../../adapters/adapter.ts";
import type { EventConfig, KeptHook } from "../../config/cache/kept.ts";
import { idSequence } from "../../core/base/clock.ts";
import type { Decided } from "../../core/decide/observers.ts";
import { buildEvent, checkEvent } from "../../core/events/build-event.ts";
import { EventCatalogue, type KnownEvent } from "../../core/events/known-events.ts";
import { toolOf } from "../../core/match/tool-inputs.ts";
import { canonicalToolName } from "../../core/match/tool-names.ts";
import { nodeRulePorts } from "../../node/rule-ports.ts";
import { mayHold } from "../../rules/compiled/compiled-index.ts";
import { type Subject, sharedSubject } from "../../rules/fields/subject.ts";
import { type Spared, silentRun } from "./spared.ts";

/**
 * The decision about an event of which it is certain, without the engine, that no hook has anything to say to it: only
 * rules are asked, and none of them can hold. Most calls are of this kind, and loading the engine for them would cost
 * more than all the rest. When a rule may hold: the hooks that need not be asked all the same. `undefined` wherever
 * there is a doubt. The shell analysis is loaded when nothing else is in doubt. Never rejects.
 */
export async function cleared(
  config: EventConfig,
  given: DecodedEvent,
): Promise<Decided | Spared | undefined> {
  const known = new EventCatalogue().find(given.hook_event_name);
  if (known === undefined || isTold(known)) return undefined;
  if (config.broken !== undefined || config.trust.state === "untrusted") return undefined;
  const time = Date.now();
  const event_id = idSequence(time)();
  try {
    const raw: Readonly<Record<string, unknown>> = given;
    checkEvent(raw, raw, known);
    const event = buildEvent({ context: raw, fields: raw }, known, { event_id, seq: 1, time });
    const turns = turnsOf(config, known.name, toolOf(event));
    if (turns === undefined) return undefined;
    const asked = new Set(await mayHolding(turns, sharedSubject(event, nodeRulePorts)));
    if (asked.size > 0) return spared(config, turns, asked);
    const runs = turns.map(({ kept }) => silentRun(kept.hook.name, event));
    const decision = { action: "continue", context: [], user_messages: [], hook_inputs: [], runs } as const;
    return { event, decision };
  } catch {
    // What is wrong with the event, the engine says.
    return undefined;
  }
}

/** True for an event that rules see with more than the agent told: how often a turn was kept going, how often it failed. */
function isTold({ name, allowed }: KnownEvent): boolean {
  return name === "Error" || allowed.has("keep_going");
}

/** A hook whose turn it is, with its rules. */
interface RuleHook {
  readonly kept: KeptHook;
  readonly rules: NonNullable<KeptHook["rules"]>;
}

/** The hooks whose turn it is, in order, when all of them decide by rules and say in the simplest way when it is. */
function turnsOf(
  { hooks }: EventConfig,
  event: string,
  tool: string | undefined,
): readonly RuleHook[] | undefined {
  const turns: RuleHook[] = [];
  for (const kept of hooks) {
    if (!isFor(kept, event)) continue;
    const { rules } = kept;
    if (rules?.matched === undefined) return undefined;
    const { tools } = rules.matched;
    if (tools !== undefined && (tool === undefined || !tools.includes(canonicalToolName(tool)))) continue;
    turns.push({ kept, rules });
  }
  return turns;
}

/** The hooks of which a rule may hold. */
async function mayHolding(turns: readonly RuleHook[], subject: Subject): Promise<readonly RuleHook[]> {
  const certain: RuleHook[] = [];
  const unsure: RuleHook[] = [];
  for (const turn of turns) {
    const may = mayHold(turn.rules.index, subject);
    if (may === "yes") certain.push(turn);
    if (may === "unsure") unsure.push(turn);
  }
  if (unsure.length === 0 || certain.length > 0) return [...certain, ...unsure];
  const { mayHoldByShell } = await import("../../rules/compiled/compiled-shell.ts");
  const found: RuleHook[] = [];
  for (const turn of unsure) if (await mayHoldByShell(turn.rules.index, subject)) found.push(turn);
  return found;
}

/**
 * The hooks that need not be asked; `undefined` when one that is asked may change the event, which all have to judge then,
 * or end the run. Who is told of errors stays: one that is asked may fail.
 */
function spared(
  { hooks }: EventConfig,
  turns: readonly RuleHook[],
  asked: ReadonlySet<RuleHook>,
): Spared | undefined {
  for (const { rules } of asked)
    if (rules.actions.some((action) => action === "modify" || action === "stop")) return undefined;
  const silent = new Set(hooks.filter((kept) => !isFor(kept, "Error")));
  for (const { kept } of asked) silent.delete(kept);
  return {
    hooks: silent,
    turns: turns.map(({ kept }) => ({ name: kept.hook.name, silent: silent.has(kept) })),
  };
}

function isFor({ hook }: KeptHook, event: string): boolean {
  return [hook.definition.matcher.events].flat().includes(event);
}
