import type { AgentEventName } from "./agent-names.ts";
import type { Effect } from "./effects.ts";

/**
 * The custom events of your whole program, for the compiler: what {@link CustomEvent} says of each. A set can also have events
 * of its own: `createHooks<MyEvents>()`. `hooks.declare` declares them to the engine.
 *
 * @example
 * declare module "tenterhook" {
 *   interface CustomEvents {
 *     "custom:deploy": { fields: { target: string }; effects: "deny" | "context" };
 *   }
 * }
 */
export interface CustomEvents extends Record<never, never> {}

/** A custom event: the fields that hooks see and callers give, and what hooks may do. */
export interface CustomEvent {
  readonly fields?: object;
  readonly effects?: Effect;
}

/** Custom events by name. */
export type CustomEventsOf<Events> = {
  readonly [Name in keyof Events]: Name extends `custom:${string}` | AgentEventName
    ? CustomEvent
    : "The name must begin with custom:";
};

/** The fields of a custom event; of an agent's event, whatever the agent sends. */
export type CustomFields<Name extends string, Events = CustomEvents> = Name extends keyof Events
  ? Events[Name] extends { readonly fields: infer Fields }
    ? Readonly<Fields>
    : unknown
  : Readonly<Record<string, unknown>>;

/** What a hook of a custom event may do; on an agent's event, everything that agent might honour. */
export type CustomEffect<Name extends string, Events = CustomEvents> = Name extends keyof Events
  ? Events[Name] extends { readonly effects: infer Effects extends Effect }
    ? Effects
    : never
  : Effect;
