import type { Effect } from "./effects.ts";

/**
 * The custom events of your program, for the compiler: the fields that hooks see and callers give, and what hooks may
 * do. `hooks.declare` declares them to the engine.
 *
 * @example
 * declare module "tenterhook" {
 *   interface CustomEvents {
 *     "custom:deploy": { fields: { target: string }; effects: "deny" | "context" };
 *   }
 * }
 */
export interface CustomEvents extends Record<never, never> {}

/** The fields of a custom event; of one that {@link CustomEvents} does not have, whatever its sender gives. */
export type CustomFields<Name extends string> = Name extends keyof CustomEvents
  ? CustomEvents[Name] extends { readonly fields: infer Fields }
    ? Readonly<Fields>
    : unknown
  : Readonly<Record<string, unknown>>;

/** What a hook of a custom event may do; of one that {@link CustomEvents} does not have, everything. */
export type CustomEffect<Name extends string> = Name extends keyof CustomEvents
  ? CustomEvents[Name] extends { readonly effects: infer Effects extends Effect }
    ? Effects
    : never
  : Effect;
