import { isRecord } from "../../core/base/json.ts";
import { capText } from "../../core/base/text.ts";
import type { MonitorEvent } from "../../shared/monitor/monitor.ts";
import type { TurnView } from "./wire.ts";

const LONGEST_PROMPT = 300;

/** The turns of a session, the newest first, from its events. Several events report a turn's usage; the last one counts. */
export function turnsOf(events: readonly MonitorEvent[], session: string): readonly TurnView[] {
  const turns: TurnView[] = [];
  for (const event of [...events].reverse()) {
    if (event.session_id !== session) continue;
    const { new_turn, prompt, time, usage } = event;
    if (new_turn === true)
      turns.push({
        number: turns.length + 1,
        started: time,
        ...(typeof prompt === "string" ? { prompt: capText(prompt, LONGEST_PROMPT) } : {}),
      });
    const last = turns.at(-1);
    if (last === undefined || !isRecord(usage)) continue;
    const { total_tokens: tokens, cost_usd } = usage;
    turns[turns.length - 1] = {
      ...last,
      ...(typeof tokens === "number" ? { tokens } : {}),
      ...(typeof cost_usd === "number" ? { cost_usd } : {}),
    };
  }
  return turns.reverse();
}
