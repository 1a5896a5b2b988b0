import type { Clock } from "../base/clock.ts";
import { TenterhookError } from "../base/errors.ts";
import { checkValue, defaultsOf, field, givenFields, kinds } from "../base/kinds.ts";
import type { FailureKind, FailureMode } from "../events/effects.ts";
import type { EventRow } from "../events/event-row.ts";
import { HookFailureError } from "../events/hook-failure-error.ts";
import type { Handler, Ports, Predicate } from "../ports.ts";
import { HOOK_SETTINGS, type Hook, type HookOptions, SCOPES } from "./hook.ts";
import { compileMatcher, MATCHER_FIELDS, type Matcher } from "./matcher.ts";

/** What a hook has done since it was registered. */
export interface HookCounters {
  runs: number;
  denials: number;
  failures: number;
  total_ms: number;
  max_ms: number;
}

/** A hook made ready, to be given to `replace`. */
export type PreparedHook = RegisteredHook;

/** A hook made ready to run. */
export interface RegisteredHook {
  readonly id: number;
  readonly hook: Hook;
  readonly handler: Handler;
  readonly scopeRank: number;
  readonly tool: ((name: string) => boolean) | undefined;
  test: Predicate | undefined;
  /** Until the matcher can be asked. */
  loading: Promise<void> | undefined;
  /** An allow counts only for events of which this is true. */
  readonly covers: Predicate | undefined;
  readonly timeoutMs: number;
  readonly counters: HookCounters;
  enabled: boolean;
  /** True once it was taken out of its set; an event that was being decided then may still ask it. */
  removed: boolean;
}

/** A hook as it is given to the set. */
export interface Registration {
  readonly name: string;
  readonly events: readonly string[];
  readonly options: HookOptions;
  readonly handler: Handler;
  readonly defaultTimeout: number;
}

/** Every key `hooks.on` takes. */
const OPTIONS = kinds.object({
  ...HOOK_SETTINGS,
  matcher: field(kinds.map(kinds.anything, "an object"), "The matcher fields."),
  ...MATCHER_FIELDS,
});

let lastId = 0;

/**
 * Checks a hook and makes it ready.
 *
 * @throws TenterhookError for unknown keys (with a suggestion), values that can't be, and bad patterns.
 */
export function registerHook(
  given: Registration,
  ports: Ports,
  rowOf: (event: string) => EventRow,
): RegisteredHook {
  const { options } = given;
  const place = placeOf(given);
  checkValue(options, OPTIONS, place);
  const matcher = mergedMatcher(options, place);
  const compiled = compileMatcher(matcher, place, ports, rowOf);
  const scope = options.origin?.scope ?? "code";
  lastId += 1;
  const hook: RegisteredHook = {
    id: lastId,
    hook: describe(given, matcher, scope),
    handler: given.handler,
    scopeRank: SCOPES.indexOf(scope),
    tool: compiled.tool,
    test: compiled.test,
    loading: undefined,
    covers: compiled.covers,
    timeoutMs: (options.timeout ?? given.defaultTimeout) * 1000,
    counters: { runs: 0, denials: 0, failures: 0, total_ms: 0, max_ms: 0 },
    enabled: options.enabled ?? true,
    removed: false,
  };
  if (compiled.ready !== undefined) awaitMatcher(hook, compiled.ready, ports.clock);
  return hook;
}

/** A matcher that can't be loaded, or not in time, fails whenever it is asked: its hook must not silently be gone. */
function awaitMatcher(hook: RegisteredHook, ready: Promise<unknown>, clock: Clock): void {
  hook.loading = new Promise((resolve) => {
    const done = (error?: unknown): void => {
      cancelTimer();
      if (error !== undefined) {
        hook.test = () => {
          throw error;
        };
      }
      hook.loading = undefined;
      resolve();
    };
    const late = new HookFailureError("timeout", `It was not loaded within ${hook.timeoutMs / 1000} s.`);
    const cancelTimer = clock.after(hook.timeoutMs, () => done(late));
    ready.then(
      () => done(),
      (error: unknown) => done(error ?? late),
    );
  });
}

/** Has a hook end what it keeps alive. Never throws itself. */
export async function closeHook({ handler }: RegisteredHook): Promise<void> {
  await handler.close?.();
}

/** What a hook's failure means on an event. */
export function failureMode(hook: Hook, row: EventRow, kind: FailureKind): FailureMode {
  if (hook.observe || hook.async) return "open";
  const policy = hook.on_failure;
  const chosen = typeof policy === "object" ? (policy[kind] ?? policy.default) : policy;
  return chosen ?? (row.gate ? "closed" : "open");
}

/** How messages name a hook: by its name and, when it comes from a file, its place there. */
function placeOf({ name, options }: Registration): string {
  const { file, line } = options.origin ?? {};
  const where = file === undefined ? "" : ` (${file}${line === undefined ? "" : `:${line}`})`;
  return `Hook ${JSON.stringify(name)}${where}`;
}

const DEFAULTS = defaultsOf(HOOK_SETTINGS);

function describe(given: Registration, matcher: Matcher, scope: (typeof SCOPES)[number]): Hook {
  const { name, events, options, handler, defaultTimeout } = given;
  return {
    ...DEFAULTS,
    timeout: defaultTimeout,
    ...givenFields(options, HOOK_SETTINGS),
    name,
    events,
    matcher,
    handler: handler.type,
    origin: { ...options.origin, scope },
  };
}

function mergedMatcher(options: HookOptions, place: string): Matcher {
  const outside = givenFields(options, MATCHER_FIELDS);
  for (const name of Object.keys(options.matcher ?? {})) {
    if (name in outside) {
      throw new TenterhookError(
        "invalid_option",
        `${place} gives ${name} twice: inside matcher and outside it. Keep one of them.`,
      );
    }
  }
  return { ...options.matcher, ...outside };
}
