import type { AgentEventName } from "../core/events/agent-names.ts";
import type { Hooks } from "../core/hooks.ts";
import type { Adapter } from "./adapter.ts";

/** Declares the events that only these agents have, so that a configuration can use them. */
export function declareEvents({ declare }: Pick<Hooks, "declare">, adapters: readonly Adapter[]): void {
  for (const { declarations } of adapters)
    for (const [name, declaration] of Object.entries(declarations))
      if (isOwnEvent(name)) declare(name, declaration);
}

/** True for the name of an event that only one agent has. */
export function isOwnEvent(name: string): name is AgentEventName {
  return name.includes(":");
}
