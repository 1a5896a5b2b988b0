/** The engine alone: no Node modules, no packages. Bring your own ports. */

export { idSequence, systemClock } from "./core/base/clock.ts";
export { createHooks, defaultPorts } from "./core/create-hooks.ts";
export type { Hooks } from "./core/hooks.ts";
export { type DefinitionPort, type HookInternals, internals } from "./core/internals.ts";
export type { HookDefinition } from "./core/registration/hook-definition.ts";
export type { PreparedHook } from "./core/registration/registered-hook.ts";
export type { BeforeEvent } from "./core/registration/registry.ts";
export * from "./exports.ts";
