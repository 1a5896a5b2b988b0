/** What both `tenterhook` and `tenterhook/core` export. */

export type { Clock } from "./core/base/clock.ts";
export { type ErrorCode, isTenterhookError, TenterhookError } from "./core/base/errors.ts";
export type {
  Approval,
  ApprovalScope,
  Approved,
  QuestionAnswers,
  Refused,
} from "./core/contracts/approval.ts";
export type { DefinitionSite, ForbiddingRules, McpServer } from "./core/contracts/definition-site.ts";
export type { DecisionOption } from "./core/contracts/questions.ts";
export type {
  NamedTool,
  ToolFilter,
  ToolInput,
  ToolOutput,
  ToolsByName,
} from "./core/contracts/tool-types.ts";
export type { Usage } from "./core/contracts/transcript.ts";
export type { Decision, HookFailure, HookInput, HookOutcome, HookRun } from "./core/decide/decision.ts";
export type { AskedChoice, Choose, FireOptions } from "./core/decide/fired-event.ts";
export type { Decided, DecisionObserver, Observer, RunEvent, RunObserver } from "./core/decide/observers.ts";
export type { AgentEventName } from "./core/events/agent-names.ts";
// As a whole: only then can users add to the interface in it.
export * from "./core/events/custom-events.ts";
export type { Action, Effect, FailureKind, FailureMode } from "./core/events/effects.ts";
export type { EventRow } from "./core/events/event-row.ts";
export { type AnyEventName, EVENTS, type EventName, type OwnEventName } from "./core/events/event-table.ts";
export { HookFailureError } from "./core/events/hook-failure-error.ts";
export type { EventDeclaration } from "./core/events/known-events.ts";
export type {
  AbortOutcome,
  AllowOutcome,
  AnswerOutcome,
  AskOutcome,
  ContextItem,
  ContextLifetime,
  ContextOutcome,
  DenyOutcome,
  HookInputOutcome,
  KeepGoingOutcome,
  MessageLevel,
  NativeKeys,
  OutcomeOfType,
  RetryOutcome,
  RewriteOutcome,
  TimeLimitOutcome,
  UserMessage,
  UserMessageOutcome,
  WithReason,
} from "./core/events/outcomes.ts";
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
  timeLimit,
  userMessage,
} from "./core/events/outcomes.ts";
export type {
  EventContext,
  EventFields,
  EventInput,
  HookEvent,
  Message,
} from "./core/events/payloads.ts";
export type { HookStats, HooksOptions } from "./core/hooks.ts";
export { type HookToolsOptions, hookTools } from "./core/loops/hook-tools.ts";
export type { DecidedCall, SuspendedCall } from "./core/loops/judged-call.ts";
export type { Lifecycle, Session } from "./core/loops/lifecycle.ts";
export { ToolTimeoutError } from "./core/loops/time-limit.ts";
export type { AskAboutCall, CallToJudge, ToolCall } from "./core/loops/tool-call-types.ts";
export { ToolDeniedError, ToolSuspendedError } from "./core/loops/tool-errors.ts";
export type { ToolOutcome } from "./core/loops/tool-outcome.ts";
export type { PathNormaliser } from "./core/match/paths.ts";
export type { RegexCompiler } from "./core/match/tool-names.ts";
export type {
  AgentView,
  Condition,
  ConditionCompiler,
  Handler,
  HookContext,
  Ports,
  Predicate,
  Spill,
} from "./core/ports.ts";
export type { FailurePolicy, Hook, Origin } from "./core/registration/hook.ts";
export type { Limits } from "./core/registration/limits.ts";
export type { Matcher } from "./core/registration/matcher.ts";
export { hook, type PackName, type Plugin, type PluginHook } from "./core/registration/plugin.ts";
export type {
  AllowedEffect,
  HookFunction,
  HookOptions,
  HookReply,
  OutcomeOf,
  ToolMatcher,
} from "./core/registration/typed-hook.ts";
