/** The engine alone: no Node modules, no packages. Bring your own ports. */
export { idSequence, systemClock } from "./core/clock.ts";
export { createHooks, defaultPorts, type Hooks, type HooksOptions } from "./core/hooks.ts";
export type {
  Clock,
  ConditionCompiler,
  Handler,
  PathNormaliser,
  Ports,
  Predicate,
  RegexCompiler,
  Spill,
} from "./core/ports.ts";
