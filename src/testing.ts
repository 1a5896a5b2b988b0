/** Tests of hooks, agents and stores, for Vitest, Jest and `node:test`; none of them is loaded here. */

export { scriptedModel } from "./agent/model/scripted-model.ts";
export {
  type ExpectedText,
  type HookMatchers,
  hookMatchers,
  type MatcherResult,
  type MatcherState,
} from "./know/testing/matchers.ts";
export type { HookSource, SourceOptions } from "./know/testing/open-source.ts";
export { type RecordedEvents, recordEvents } from "./know/testing/record-events.ts";
export { type RunCasesOptions, runCases, type TestFunction } from "./know/testing/run-cases.ts";
export {
  type OpenStore,
  type StoreCheck,
  type StoreSuiteOptions,
  storeSuite,
} from "./know/testing/store-suite.ts";
export {
  type TestEvent,
  type TestedDecision,
  type TestedHooks,
  type TestHooksOptions,
  type TryEventOptions,
  testHooks,
} from "./know/testing/test-hooks.ts";
export type { Stubs } from "./know/tried-hooks.ts";
