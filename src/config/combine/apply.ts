import { isTenterhookError } from "../../core/base/errors.ts";
import type { DefinitionSite } from "../../core/contracts/definition-site.ts";
import { HookFailureError } from "../../core/events/hook-failure-error.ts";
import type { DefinedHooks } from "../../core/hooks.ts";
import { type HookInternals, internals } from "../../core/internals.ts";
import { definitionParts } from "../../core/registration/prepare-hook.ts";
import type { PreparedHook } from "../../core/registration/registered-hook.ts";
import type { Config, ConfigDefinition } from "../config.ts";
import { fileValue } from "../inputs/inputs.ts";
import { ConfigError, type Problem } from "../parse/problem.ts";
import type { Definition } from "../schema/definition.ts";
import { needsTrust } from "../trust/trustable.ts";
import { UNTRUSTED_FILE } from "../trust/verdict.ts";
import { reportHooks } from "./broken.ts";
import type { Settings } from "./merge-settings.ts";
import { leadsBack } from "./way-back.ts";

/** The result of applying a configuration. */
export interface AppliedConfig {
  /** Hooks that will certainly fail and why. On a gate they refuse, or do what `on_failure` says. */
  readonly failing: readonly { readonly name: string; readonly reason: string }[];
  /** Removes every hook of the configuration. */
  readonly remove: () => void;
}

/**
 * Adds the hooks of a configuration to a hook set, all at once, each with its origin; disabled ones are added disabled,
 * and those that are not trusted fail whenever they are asked. Limits and timeout are given to the set when it is made:
 * `createHooks({ limits: config.limits })`.
 *
 * @throws ConfigError `config_invalid` with every hook the set refuses; then nothing was added.
 */
export async function applyConfig(hooks: DefinedHooks, config: Config): Promise<AppliedConfig> {
  const set = internals(hooks);
  const prepared = await prepareConfig(set, config);
  set.replace([], prepared.hooks);
  return { failing: prepared.failing, remove: () => set.replace(prepared.hooks, []) };
}

export interface PreparedConfig extends Pick<AppliedConfig, "failing"> {
  readonly hooks: readonly PreparedHook[];
  /** The hooks by their sources, so that unchanged hooks can be reused. */
  readonly made: ReadonlyMap<string, PreparedHook>;
  /** How many events the set knew, if hooks wait for more. */
  readonly known_events?: number;
}

/**
 * Makes the hooks of a configuration ready. Those that were made of exactly the same before are taken as they are.
 *
 * @throws ConfigError `config_invalid` with every hook the set refuses.
 */
export async function prepareConfig(
  set: HookInternals,
  config: Config,
  unchanged: ReadonlyMap<string, PreparedHook> = new Map(),
): Promise<PreparedConfig> {
  const problems: Problem[] = [];
  const made = new Map<string, PreparedHook>();
  const known = set.events();
  let waits = config.broken?.last_good === false;
  const make = async (key: string, ready: () => PreparedHook | Promise<PreparedHook>): Promise<void> => {
    made.set(key, unchanged.get(key) ?? (await ready()));
  };
  for (const hook of [...config.guards, ...config.definitions]) {
    const site = siteOf(hook, config);
    // An event of a program's own is known when the program has declared it; until then nobody can ask about it.
    const events = eventsOf(hook).filter((event) => known.has(event) || !event.startsWith("custom:"));
    if (events.length < eventsOf(hook).length) waits = true;
    if (events.length === 0) continue;
    // Examples are checked where a file is read; those of packs by our own tests. To try them again takes half a second.
    const checked =
      hook.definition.type === "inline" ? { ...hook.definition, examples: [] } : hook.definition;
    const definition = { ...checked, matcher: { ...checked.matcher, events } };
    try {
      await make(JSON.stringify([hook, events, site]), () => prepareHook(set, { ...hook, definition }, site));
    } catch (error) {
      if (!isTenterhookError(error)) throw error;
      const { file, line } = hook.origin;
      problems.push({ code: "config_invalid", file, line, message: error.message });
    }
  }
  for (const { key, events, options, handler } of reportHooks(config, known))
    await make(key, () => set.prepare(events, options, handler));
  if (problems.length > 0) throw new ConfigError(problems);
  const all = [...made.values()];
  const failing = all.flatMap(({ hook: { name }, handler: { problem } }) =>
    problem === undefined ? [] : [{ name, reason: problem }],
  );
  return { hooks: all, made, failing, ...(waits ? { known_events: known.size } : {}) };
}

/** Checks again right before the hook runs: a file can change during the event. */
function refusalOf({ files }: ConfigDefinition, isSame: IsSame): Pick<DefinitionSite, "refusal"> {
  if (files === undefined) return {};
  return {
    refusal: () => {
      const changed = files.find(({ path, value }) => !isSame(path, value));
      return changed === undefined ? undefined : `${changed.path} has changed since it was trusted.`;
    },
  };
}

/** True when the value of a file, which says what is in it, is still the same. */
export type IsSame = (path: string, value: string) => boolean;

function eventsOf({ definition: { matcher } }: ConfigDefinition): readonly string[] {
  return typeof matcher.events === "string" ? [matcher.events] : matcher.events;
}

/** What the handler of a hook gets from the configuration. */
export function siteOf(
  hook: ConfigDefinition,
  { trust, sites }: Pick<Config, "trust" | "sites">,
  isSame: IsSame = (path, value) => fileValue(path) === value,
): DefinitionSite {
  const { root, origin, project = trust.root } = hook;
  return {
    root,
    ...(project === root ? {} : { project }),
    owner: needsTrust(origin.scope) ? "project" : "user",
    ...refusalOf(hook, isSame),
    ...sites[origin.scope],
  };
}

/** Prepares one hook. An untrusted hook, or one of an unknown type, is made to fail. */
export async function prepareHook(
  set: Pick<HookInternals, "prepare" | "definitions">,
  { name, definition, enabled, timeout, origin, untrusted }: ConfigDefinition,
  site: DefinitionSite,
): Promise<PreparedHook> {
  const whole = { ...definition, ...(timeout === undefined ? {} : { timeout }), name, enabled, origin };
  if (untrusted !== undefined) {
    // All hooks of a file that is not trusted fail for one reason, which is then told once.
    const place = untrusted === UNTRUSTED_FILE ? origin.file : `${origin.file}:${origin.line}`;
    const problem = `${place}: ${untrusted}.`;
    return prepareFailing(set, whole, "untrusted", problem);
  }
  const { definitions } = set;
  if (await definitions.handles(definition.type)) return definitions.prepare(whole, site);
  return prepareFailing(set, whole, "missing", `Hooks of the type ${definition.type} can't run yet.`);
}

/** A hook that can't run fails instead of being left out: a missing gate would be open. */
function prepareFailing(
  set: Pick<HookInternals, "prepare">,
  definition: Definition,
  kind: "missing" | "untrusted",
  problem: string,
): PreparedHook {
  const { events, options } = definitionParts(definition);
  // It has no turn before it can run: a `once` gate would refuse the first event and let every other pass. Nor is it a
  // shadow: a guard that somebody else made one would be open.
  return set.prepare(
    events,
    { ...options, once: false, mode: "enforce" },
    {
      type: definition.type,
      problem,
      run: (event) => {
        if (kind === "untrusted" && leadsBack({ ...event })) return undefined;
        throw new HookFailureError(kind, problem);
      },
    },
  );
}

/** True when permission rules decide such an event of an agent that does not know them. */
export function permissionsDecide(
  { settings }: { readonly settings: Pick<Settings, "permissions"> },
  event: string,
): boolean {
  const { deny = [], ask = [], allow = [] } = settings.permissions;
  return event === "PreToolUse" && deny.length + ask.length + allow.length > 0;
}
