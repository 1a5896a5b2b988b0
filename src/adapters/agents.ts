import type { EventDeclaration } from "../core/event-catalogue.ts";
import type { Adapter } from "./adapter.ts";
import { claude } from "./claude/claude.ts";

/** Every agent whose payloads we understand, in the order they are asked whether one is theirs. */
export const ADAPTERS: readonly Adapter[] = [claude];

/** The events that only one agent has, with what hooks may do there: to be declared before hooks are added. */
export const AGENT_EVENTS: Readonly<Record<`${string}:${string}`, EventDeclaration>> = Object.assign(
  {},
  ...ADAPTERS.map(({ declarations }) => declarations),
);
