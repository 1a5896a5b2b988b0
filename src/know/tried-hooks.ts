import { allAdapters } from "../adapters/agents.ts";
import { declareEvents } from "../adapters/declare-events.ts";
import { permissionsDecide, prepareConfig } from "../config/combine/apply.ts";
import type { Config, ConfigDefinition } from "../config.ts";
import { TenterhookError } from "../core/base/errors.ts";
import { isRecord, withoutUndefined } from "../core/base/json.ts";
import type { Decided } from "../core/decide/observers.ts";
import type { Hooks } from "../core/hooks.ts";
import { internals } from "../core/internals.ts";
import type { Handler } from "../core/ports.ts";
import { handlerTypeOf } from "../core/registration/handler-types.ts";
import { definitionParts } from "../core/registration/prepare-hook.ts";
import { readReplyText, readReplyValue } from "../handlers/reply/read-reply.ts";
import { permissionHook } from "../hook/permission-hook.ts";
import { createHooks } from "../index.ts";

/** The types of hooks that run no code but ours. */
const ONLY_LOOKS = new Set(["inline", "function"]);

/** Replies by the name of the hook that would give them: an object, or a text as a program prints it. */
export type Stubs = Readonly<Record<string, unknown>>;

export interface TryOptions {
  /** True: hooks that are programs, servers, models and agents are asked as well. Default false. */
  readonly run?: boolean;
  /** False: modules, which are code from the configuration, do not run either. Default true. */
  readonly modules?: boolean;
}

/** What was decided about an event that was only tried. */
export interface Tried extends Decided {
  /** The hooks that matched, could have changed the decision, and were not asked. */
  readonly not_evaluated: readonly string[];
}

/** The hooks of a configuration, to be asked about events that nobody is waiting for. */
export interface TriedHooks {
  readonly hooks: Hooks;
  fire(event: object, options?: { readonly stubs?: Stubs; readonly signal?: AbortSignal }): Promise<Tried>;
  close(): Promise<void>;
}

/**
 * Puts a configuration in force for trial. Rules count whether or not somebody has trusted them, since they only look;
 * a program that nobody has trusted is never started. Nothing is recorded.
 *
 * @throws ConfigError with every hook that can't be used.
 */
export async function tryHooks(
  config: Config,
  { run = false, modules = true }: TryOptions = {},
): Promise<TriedHooks> {
  const { limits, timeout } = config;
  const hooks = createHooks({ limits, ...(timeout === undefined ? {} : { timeout }) });
  declareEvents(hooks, await allAdapters());
  const set = internals(hooks);
  /** What belongs to the event under way; they are asked one after another. */
  let stubs: Stubs = {};
  let silent: string[] = [];

  const isAsked = ({ definition, untrusted }: ConfigDefinition): boolean =>
    definition.type === "inline" || (untrusted === undefined && (run || decidesHere(definition, modules)));
  const all = [...config.guards, ...config.definitions];
  const { gone: _, ...trust } = config.trust;
  const prepared = await prepareConfig(set, {
    ...config,
    trust: { ...trust, untrusted: [] },
    vanished: [],
    guards: [],
    definitions: all.filter(isAsked).map(({ untrusted: _, ...hook }) => hook),
  });
  const handlers = new Map(prepared.hooks.map(({ hook, handler }) => [hook.name, handler]));
  const speaking = ({ name, definition }: ConfigDefinition, handler: Handler | undefined): Handler => ({
    ...withoutUndefined({ effects: handler?.effects, problem: handler?.problem, tidies: handler?.tidies }),
    type: definition.type,
    close: () => handler?.close?.(),
    run: (event, context) => {
      const reply = Object.hasOwn(stubs, name) ? stubs[name] : undefined;
      if (typeof reply === "string") return readReplyText(reply, event);
      if (reply !== undefined) return readReplyValue(reply, event);
      if (handler !== undefined) return handler.run(event, context);
      if (definition.async !== true && definition.observe !== true) silent.push(name);
      return undefined;
    },
  });
  const inForce = all.map((hook) => {
    const { name, definition, enabled, origin, timeout } = hook;
    const { events, options } = definitionParts(definition);
    const known = [events].flat().filter((event) => set.events().has(event));
    const settings = { ...options, name, enabled, origin, ...withoutUndefined({ timeout }) };
    return set.prepare(known, settings, speaking(hook, handlers.get(name)));
  });
  set.replace([], inForce);
  if (permissionsDecide(config, "PreToolUse")) set.replace([], [permissionHook(set, config)]);

  return {
    hooks,
    fire: async (given, { stubs: replies = {}, signal } = {}) => {
      [stubs, silent] = [replies, []];
      const decided = await fireTold(hooks, given, signal);
      return { ...decided, not_evaluated: [...new Set(silent)] };
    },
    close: () => hooks.close(),
  };
}

/** A hook set of a program, which is asked as it is: whatever its hooks are, they run, and none can be replaced. */
export function triedSet(hooks: Hooks): TriedHooks {
  return {
    hooks,
    fire: async (given, { stubs = {}, signal } = {}) => {
      if (Object.keys(stubs).length > 0)
        throw new TenterhookError(
          "invalid_option",
          "A hook set is asked as it is: only a configuration takes stubs.",
        );
      return { ...(await fireTold(hooks, given, signal)), not_evaluated: [] };
    },
    close: () => hooks.close(),
  };
}

/** Fires an event and tells it as hooks saw it. */
async function fireTold(hooks: Hooks, given: object, signal: AbortSignal | undefined): Promise<Decided> {
  const all: Decided[] = [];
  const off = hooks.observe({ onDecision: (decided) => all.push(decided) });
  try {
    const decision = await hooks.fireUntyped(given, { signal });
    const own = all.find((decided) => decided.decision === decision);
    if (own === undefined) throw new Error("The engine did not report its decision.");
    return own;
  } finally {
    off();
  }
}

/** A composition decides here when all of its parts do. */
function decidesHere(handler: object, modules: boolean): boolean {
  const keys = { ...handler };
  const type = handlerTypeOf(keys) ?? "";
  const parts: unknown = Reflect.get(keys, type);
  if (Array.isArray(parts)) return parts.every((part) => isRecord(part) && decidesHere(part, modules));
  return ONLY_LOOKS.has(type) || (modules && type === "module");
}
