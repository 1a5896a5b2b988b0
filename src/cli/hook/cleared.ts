import type { DecodedEvent } from "../../adapters/adapter.ts";
import type { EventConfig } from "../../config/cache/kept.ts";
import { buildEvent, checkEvent } from "../../core/build-event.ts";
import { idSequence, isoTime } from "../../core/clock.ts";
import type { HookRun } from "../../core/decision.ts";
import { EventCatalogue } from "../../core/event-catalogue.ts";
import type { Decided } from "../../core/observers.ts";
import { toolOf } from "../../core/subjects.ts";
import { canonicalToolName } from "../../core/tool-names.ts";
import { nodeRulePorts } from "../../node/rule-ports.ts";
import { type KeptIndex, mayHold } from "../../rules/kept-index.ts";
import { sharedSubject } from "../../rules/subject.ts";

/**
 * The decision about an event of which it is certain, without the engine, that no hook has anything to say to it: only
 * rules are asked, and none of them can hold. `undefined` wherever there is a doubt. Most calls are of this kind, and
 * loading the engine for them would cost more than all the rest. The shell analysis is loaded when nothing else is in
 * doubt. Never rejects.
 */
export async function cleared(config: EventConfig, given: DecodedEvent): Promise<Decided | undefined> {
  const known = new EventCatalogue().find(given.hook_event_name);
  if (known === undefined || config.broken !== undefined || config.trust.state === "untrusted")
    return undefined;
  const time = Date.now();
  const event_id = idSequence(time)();
  try {
    const raw: Readonly<Record<string, unknown>> = given;
    checkEvent(raw, raw, known);
    const event = buildEvent({ context: raw, fields: raw }, known, { event_id, seq: 1, time });
    const tool = toolOf(event);
    const subject = sharedSubject(event, nodeRulePorts);
    const runs: HookRun[] = [];
    const unsure: KeptIndex[] = [];
    for (const { hook, rules } of config.hooks) {
      if (![hook.definition.matcher.events].flat().includes(known.name)) continue;
      const { matched, index } = rules ?? {};
      if (matched === undefined || index === undefined) return undefined;
      const { tools } = matched;
      if (tools !== undefined && (tool === undefined || !tools.includes(canonicalToolName(tool)))) continue;
      const may = mayHold(index, subject);
      if (may === "yes") return undefined;
      if (may === "unsure") unsure.push(index);
      runs.push({ name: hook.name, handler: "inline", event_id, started_at: isoTime(time), duration_ms: 0 });
    }
    if (unsure.length > 0) {
      const { mayHoldByShell } = await import("../../rules/kept-shell.ts");
      for (const index of unsure) if (await mayHoldByShell(index, subject)) return undefined;
    }
    const decision = { action: "continue", context: [], user_messages: [], hook_inputs: [], runs } as const;
    return { event, decision };
  } catch {
    // What is wrong with the event, the engine says.
    return undefined;
  }
}
