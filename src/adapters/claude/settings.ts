import { eventsAsked } from "../../core/events.ts";
import { isRecord } from "../../core/json.ts";
import { type AgentSettings, HOOK_COMMAND, type HookInForce, type WantedEvent } from "../settings.ts";
import { addToList, removeFromLists, valueAt } from "../settings-json.ts";
import { ownName } from "./decode.ts";
import { CLAUDE_EVENTS, claudeEvent, isClaudeGate } from "./events.ts";

/** Beside our deadlines: the start of our process, and the ending of what hooks started. */
const MARGIN_SECONDS = 30;
/** Claude Code waits this long when nothing is said. */
const USUAL_SECONDS = 600;

/** The events that show that it waits for a human, with the tools that do. */
const SHOW_PROMPTS: ReadonlyMap<string, { readonly matcher?: string }> = new Map([
  ["PreToolUse", { matcher: "ExitPlanMode|AskUserQuestion|EnterPlanMode" }],
  ["PermissionRequest", {}],
  ["Notification", {}],
]);

/** The `hooks` of Claude Code's settings.json. */
export const claudeSettings: AgentSettings = {
  wanted(hooks) {
    const needed = new Set(hooks.flatMap(({ events }) => events));
    const prompts = needed.delete("AgentPrompt") ? SHOW_PROMPTS : undefined;
    const events = Object.entries(CLAUDE_EVENTS).flatMap(([native, row]): WantedEvent[] => {
      const ours = row.event ?? ownName(native);
      const shown = prompts?.get(native);
      const names = shown === undefined ? [ours] : [ours, "AgentPrompt"];
      if (!needed.delete(ours))
        return shown === undefined
          ? []
          : [{ native, gate: false, timeout: secondsFor(names, hooks), ...shown }];
      return [{ native, gate: isClaudeGate(row), timeout: secondsFor(names, hooks) }];
    });
    // An event that came after this table: Claude Code is asked for it all the same.
    const newer = [...needed].filter((name) => name.startsWith("claude:"));
    return {
      events: [
        ...events,
        ...newer
          .map((name) => [name, name.slice("claude:".length)] as const)
          .map(([name, native]) => ({
            native,
            gate: isClaudeGate(claudeEvent(native)),
            timeout: secondsFor([name], hooks),
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

function entryFor({ timeout, gate, matcher }: WantedEvent): unknown {
  return {
    ...(matcher === undefined ? {} : { matcher }),
    hooks: [{ type: "command", command: HOOK_COMMAND, timeout, ...(gate ? { onFailure: "block" } : {}) }],
  };
}

/** An entry that calls us and nobody else; one that somebody put another hook into stays. */
function isOurs(entry: unknown): boolean {
  if (!isRecord(entry) || !Array.isArray(entry.hooks) || entry.hooks.length !== 1) return false;
  const [hook]: readonly unknown[] = entry.hooks;
  return isRecord(hook) && hook.type === "command" && hook.command === HOOK_COMMAND;
}

function secondsFor(names: readonly string[], hooks: readonly HookInForce[]): number {
  const timeoutsOf = (name: string): readonly number[] =>
    hooks.filter(({ events }) => events.includes(name)).map(({ timeout }) => timeout);
  let seconds = 0;
  let mayFail = 0;
  for (const name of names) {
    for (const asked of eventsAsked(name)) {
      if (asked === "Error" && name !== "Error") continue;
      const timeouts = timeoutsOf(asked);
      // A rewrite has every gate asked once more; nobody is asked twice whether he has answered.
      seconds += sum(timeouts) * (asked === name && name !== "AgentPrompt" ? 2 : 1);
      if (name !== "Error") mayFail += timeouts.length;
    }
  }
  // Each hook that fails has the hooks on Error told.
  seconds += mayFail * sum(timeoutsOf("Error"));
  return Math.max(USUAL_SECONDS, Math.ceil(seconds) + MARGIN_SECONDS);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
