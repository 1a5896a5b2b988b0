import type { OwnEventName } from "../core/events.ts";
import type { Hooks } from "../core/hooks.ts";
import type { Adapter } from "./adapter.ts";
import { claude } from "./claude/claude.ts";

/** Every agent whose payloads we understand, in the order they are asked whether one is theirs. */
export const ADAPTERS: readonly Adapter[] = [claude];

/** Makes the events of all agents known to a hook set, so that a configuration may have hooks on any of them. */
export function declareAgentEvents({ declare }: Pick<Hooks, "declare">): void {
  for (const { declarations } of ADAPTERS)
    for (const [name, declaration] of Object.entries(declarations))
      if (isOwnEvent(name)) declare(name, declaration);
}

/** True for the name of an event that only one agent has. */
export function isOwnEvent(name: string): name is OwnEventName {
  return name.includes(":");
}
