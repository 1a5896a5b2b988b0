import type { Clock } from "../base/clock.ts";
import { TenterhookError } from "../base/errors.ts";
import { isRecord } from "../base/json.ts";
import { checkValue, defaultsOf, field, givenFields, schemas } from "../base/schemas.ts";
import type { Effect } from "../events/effects.ts";
import type { EventRow } from "../events/event-row.ts";
import { HookFailureError } from "../events/hook-failure-error.ts";
import { unknownEvent } from "../events/known-events.ts";
import type { Handler, Ports } from "../ports.ts";
import { HOOK_SETTINGS, type HookSettings, type NamedToolOptions, SCOPES } from "./hook.ts";
import { compileMatcher, MATCHER_FIELDS, type Matcher } from "./matcher.ts";
import type { PreparedHook, RegisteredHook } from "./registered-hook.ts";
import type { Registry } from "./registry.ts";

/** A hook as its author gives it, and the seconds it has when he says nothing of them. */
interface NewHook {
  readonly events: string | readonly string[];
  readonly options: NamedToolOptions;
  readonly handler: Handler;
  readonly defaultTimeout: number;
}

/** Every key `hooks.on` takes. */
const OPTIONS = schemas.object({
  ...HOOK_SETTINGS,
  matcher: field(schemas.map(schemas.anything, "an object"), "The matcher fields."),
  ...MATCHER_FIELDS,
});

const DEFAULTS = defaultsOf(HOOK_SETTINGS);

let lastId = 0;

/**
 * Checks a hook and makes it ready for the set it was made for.
 *
 * @throws TenterhookError for an unknown event or option (with a suggestion), a bad pattern, or an effect its events
 * can't have.
 */
export function prepareHook(
  registry: Registry,
  ports: Ports,
  { events, options, handler, defaultTimeout }: NewHook,
): PreparedHook {
  const { run, type }: { run: unknown; type: unknown } = handler;
  if (typeof run !== "function" || typeof type !== "string") {
    throw new TenterhookError("invalid_option", "A handler needs a type and a function run.");
  }
  const given: unknown = options;
  if (!isRecord(given))
    throw new TenterhookError("invalid_option", "The options of a hook must be an object.");
  const names: readonly string[] =
    typeof events === "string" ? [events] : Array.isArray(events) ? events : [];
  if (names.length === 0) throw new TenterhookError("invalid_option", "A hook needs at least one event.");
  for (const event of names) rowOf(registry, event);
  const name = options.name ?? `${names.join("+")}#${registry.nextNumber()}`;
  checkEffects(name, names, handler.effects ?? [], options, registry);
  const place = placeOf(name, options);
  checkValue(options, OPTIONS, place);
  checkLocks(place, names, options);
  const matcher = mergedMatcher(options, place);
  const compiled = compileMatcher(matcher, place, ports, (event) => rowOf(registry, event));
  const scope = options.origin?.scope ?? "code";
  lastId += 1;
  const hook: RegisteredHook = {
    id: lastId,
    hook: {
      ...DEFAULTS,
      timeout: defaultTimeout,
      ...givenFields(options, HOOK_SETTINGS),
      name,
      events: names,
      matcher,
      handler: handler.type,
      origin: { ...options.origin, scope },
    },
    handler,
    scopeRank: SCOPES.indexOf(scope),
    tool: compiled.tool,
    test: compiled.test,
    loading: undefined,
    covers: compiled.covers,
    timeoutMs: (options.timeout ?? defaultTimeout) * 1000,
    counters: { runs: 0, denials: 0, failures: 0, total_ms: 0, max_ms: 0 },
    enabled: options.enabled ?? true,
    removed: false,
  };
  if (compiled.ready !== undefined) awaitMatcher(hook, compiled.ready, ports.clock);
  return hook;
}

/**
 * What a set knows of an event.
 *
 * @throws TenterhookError `unknown_event`, with similar names.
 */
export function rowOf(registry: Registry, event: string): EventRow {
  const known = registry.find(event);
  if (known === undefined) throw unknownEvent(event, registry.eventNames());
  return known.row;
}

/** Reports what is known to be wrong now, not when the hook first does it. */
function checkEffects(
  name: string,
  events: readonly string[],
  effects: readonly Effect[],
  { async, mode }: NamedToolOptions,
  registry: Registry,
): void {
  const label = `Hook ${JSON.stringify(name)}`;
  const late = effects.find((effect) => effect !== "context");
  if (async === true && mode !== "shadow" && late !== undefined)
    throw new TenterhookError(
      "effect_not_allowed",
      `${label} is async and can only add context, but it has a rule for ${late}.`,
    );
  // What an async hook adds goes to a later event.
  if (async === true) return;
  const allowed = events.flatMap((event) => [...(registry.find(event)?.allowed ?? [])]);
  for (const effect of effects) {
    if (allowed.includes(effect)) continue;
    const instead =
      effect === "deny" && allowed.includes("keep_going") ? ' Write keep_going("…") instead.' : "";
    throw new TenterhookError(
      "effect_not_allowed",
      `${label} has a rule for ${effect}, which ${events.join(" and ")} can't have (only ${[...new Set(allowed)].join(", ")}).${instead}`,
    );
  }
}

/**
 * A lock is taken when a call has passed PreToolUse, for hooks that have a say there.
 *
 * @throws TenterhookError `invalid_option`
 */
export function checkLocks(
  place: string,
  events: readonly string[],
  { locks, async, observe, mode }: Pick<NamedToolOptions, "locks" | "async" | "observe" | "mode">,
): void {
  if (locks === undefined) return;
  const lax = async === true || observe === true || mode === "shadow";
  if (lax || events.some((event) => event !== "PreToolUse"))
    throw new TenterhookError(
      "invalid_option",
      `${place}: locks is for hooks on PreToolUse alone, without async, observe and mode: shadow.`,
    );
}

/** How messages name a hook: by its name and, when it comes from a file, its place there. */
function placeOf(name: string, { origin }: NamedToolOptions): string {
  const { file, line } = origin ?? {};
  const where = file === undefined ? "" : ` (${file}${line === undefined ? "" : `:${line}`})`;
  return `Hook ${JSON.stringify(name)}${where}`;
}

function mergedMatcher(options: NamedToolOptions, place: string): Matcher {
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

/** What of a definition goes for the hook as a whole, whatever its handler. */
export interface DefinitionParts {
  readonly events: string | readonly string[];
  readonly options: NamedToolOptions;
}

/** Takes a definition apart: the events it is for, and the settings and the matcher of its hook. */
export function definitionParts(
  definition: Omit<HookSettings, "mode"> & {
    readonly mode?: string;
    readonly matcher: Matcher & { readonly events: string | readonly string[] };
  },
): DefinitionParts {
  const { events, ...matcher } = definition.matcher;
  const settings = Object.entries(definition).filter(
    ([key, value]) => Object.hasOwn(HOOK_SETTINGS, key) && value !== "persistent",
  );
  return { events, options: { ...Object.fromEntries(settings), matcher } };
}
