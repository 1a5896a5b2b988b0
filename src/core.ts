/** The engine alone: no Node modules, no packages. Bring your own ports. */
export { idSequence, systemClock } from "./core/clock.ts";
export { createHooks, defaultPorts } from "./core/create-hooks.ts";
export type {
  ContextItem,
  Decision,
  HookFailure,
  HookInput,
  HookOutcome,
  HookRun,
  UserMessage,
} from "./core/decision.ts";
export {
  type Action,
  EFFECTS,
  type Effect,
  FAILURE_KINDS,
  type FailureKind,
  type FailureMode,
} from "./core/effects.ts";
export { ERRORS, type ErrorCode, isTenterhookError, TenterhookError } from "./core/errors.ts";
export type { EventDeclaration } from "./core/event-catalogue.ts";
export type {
  EventContext,
  EventFields,
  EventInput,
  HookEvent,
  Message,
  ToolInput,
  Usage,
} from "./core/event-types.ts";
export { EVENTS, type EventName, type EventRow, type OwnEventName } from "./core/events.ts";
export type { FireOptions } from "./core/fire-scope.ts";
export type { FailurePolicy, Hook, HookFunction, HookOptions, Origin, OutcomeOf } from "./core/hook.ts";
export type { AgentView, HookContext } from "./core/hook-context.ts";
export { HookFailureError } from "./core/hook-failure-error.ts";
export type { HookStats, Hooks, HooksOptions } from "./core/hooks.ts";
export { frozenCopy as share } from "./core/json.ts";
export type { Lifecycle, Session } from "./core/lifecycle.ts";
export { DEFAULT_LIMITS, type Limits } from "./core/limits.ts";
export type { Matcher } from "./core/matcher.ts";
export type { Decided, DecisionObserver, RunEvent, RunObserver } from "./core/observers.ts";
export {
  abort,
  allow,
  answer,
  ask,
  type ContextOptions,
  context,
  deny,
  hookInput,
  keepGoing,
  type Outcome,
  retry,
  rewrite,
  userMessage,
} from "./core/outcomes.ts";
export type {
  Clock,
  Condition,
  ConditionCompiler,
  Handler,
  PathNormaliser,
  Ports,
  Predicate,
  RegexCompiler,
  Spill,
} from "./core/ports.ts";
export type { PreparedHook } from "./core/registered-hook.ts";
export type { BeforeEvent } from "./core/registry.ts";
export type { ToolCall } from "./core/tool-call.ts";
export { ToolDeniedError } from "./core/tool-denied-error.ts";
export { canonicalToolName, TOOL_NAMES } from "./core/tool-names.ts";
