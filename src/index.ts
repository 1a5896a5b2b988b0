import { idSequence, systemClock } from "./core/clock.ts";
import { createHooks as createPlainHooks, type HooksOptions } from "./core/hooks.ts";
import { ruleConditions } from "./handlers/conditions.ts";
import { type DefinedHooks, defineHooks } from "./handlers/defined-hooks.ts";
import { nodePaths } from "./node/paths.ts";
import { linearRegex } from "./node/regex.ts";
import { nodeRulePorts } from "./node/rule-ports.ts";
import { fileSpill } from "./node/spill.ts";

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
export type { HookStats, HooksOptions } from "./core/hooks.ts";
export { frozenCopy as share } from "./core/json.ts";
export type { Lifecycle, Session } from "./core/lifecycle.ts";
export { DEFAULT_LIMITS, type Limits } from "./core/limits.ts";
export type { Matcher } from "./core/matcher.ts";
export type { RunEvent, RunObserver } from "./core/observers.ts";
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
export type { Handler } from "./core/ports.ts";
export type { ToolCall } from "./core/tool-call.ts";
export { ToolDeniedError } from "./core/tool-denied-error.ts";
export { canonicalToolName, TOOL_NAMES } from "./core/tool-names.ts";
export type { DefinedHooks as Hooks } from "./handlers/defined-hooks.ts";
export type { HookDefinition } from "./handlers/definition.ts";

/** One id sequence for all hook sets of the process. */
const newId = idSequence(systemClock.now());

/**
 * Makes a hook set with everything this machine offers: real paths, linear-time regular expressions, inline rules and
 * packs, files for long context.
 *
 * @throws TenterhookError for options or limits nobody reads.
 */
export function createHooks(options: HooksOptions = {}): DefinedHooks {
  const hooks = createPlainHooks(options, {
    clock: systemClock,
    newId,
    paths: nodePaths,
    regex: linearRegex,
    spill: fileSpill(),
    conditions: ruleConditions(nodeRulePorts),
  });
  return defineHooks(hooks, nodeRulePorts);
}
