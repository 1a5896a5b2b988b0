import { isGateEvent } from "../../core/events.ts";
import { isRecord } from "../../core/json.ts";
import { type AgentSettings, HOOK_COMMAND, type HookInForce, type WantedEvent } from "../settings.ts";
import { addToList, removeFromLists, valueAt } from "../settings-json.ts";
import { ownName } from "./decode.ts";
import { CLAUDE_EVENTS } from "./events.ts";

/** Beside our deadlines: the start of our process, and the ending of what hooks started. */
const MARGIN_SECONDS = 30;
/** Claude Code waits this long when nothing is said. */
const USUAL_SECONDS = 600;

/** The `hooks` of Claude Code's settings.json. */
export const claudeSettings: AgentSettings = {
  wanted(hooks) {
    const needed = new Set(hooks.flatMap(({ events }) => events));
    const events = Object.entries(CLAUDE_EVENTS).flatMap(([native, { event, declares }]): WantedEvent[] => {
      const ours = event ?? ownName(native);
      if (!needed.delete(ours)) return [];
      const gate = event === undefined ? declares?.effects.includes("deny") === true : isGateEvent(event);
      return [{ native, gate, timeout: secondsFor(ours, hooks) }];
    });
    // An event that came after this table: Claude Code is asked for it all the same.
    const newer = [...needed].filter((name) => name.startsWith("claude:"));
    return {
      events: [
        ...events,
        ...newer.map((name) => ({
          native: name.slice("claude:".length),
          gate: false,
          timeout: secondsFor(name, hooks),
        })),
      ],
      never_sent: [...needed].filter((name) => !newer.includes(name)),
    };
  },
  install(text, events) {
    const without = claudeSettings.uninstall(text);
    return events.reduce((left, event) => addToList(left, ["hooks", event.native], entryFor(event)), without);
  },
  uninstall: (text) => removeFromLists(text, ["hooks"], isOurs),
  installed(text) {
    const hooks = valueAt(text, ["hooks"]);
    if (!isRecord(hooks)) return [];
    return Object.keys(hooks).filter((name) => {
      const entries = hooks[name];
      return Array.isArray(entries) && entries.some(isOurs);
    });
  },
};

function entryFor({ timeout, gate }: WantedEvent): unknown {
  return {
    hooks: [{ type: "command", command: HOOK_COMMAND, timeout, ...(gate ? { onFailure: "block" } : {}) }],
  };
}

/** An entry that calls us and nobody else; one that somebody put another hook into stays. */
function isOurs(entry: unknown): boolean {
  if (!isRecord(entry) || !Array.isArray(entry.hooks) || entry.hooks.length !== 1) return false;
  const [hook]: readonly unknown[] = entry.hooks;
  return isRecord(hook) && hook.type === "command" && hook.command === HOOK_COMMAND;
}

function secondsFor(event: string, hooks: readonly HookInForce[]): number {
  const ours = hooks
    .filter(({ events }) => events.includes(event))
    .reduce((seconds, { timeout }) => seconds + timeout, 0);
  // A rewrite has every gate asked once more.
  return Math.max(USUAL_SECONDS, Math.ceil(ours * 2) + MARGIN_SECONDS);
}
