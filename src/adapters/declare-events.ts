import { isOwnEvent } from "../core/events/known-events.ts";
import type { Hooks } from "../core/hooks.ts";
import type { Adapter } from "./adapter.ts";

/** Declares the events that only these agents have, so that a configuration can use them. */
export function declareEvents({ declare }: Pick<Hooks, "declare">, adapters: readonly Adapter[]): void {
  for (const { declarations } of adapters)
    for (const [name, declaration] of Object.entries(declarations))
      if (isOwnEvent(name)) declare(name, declaration);
}
