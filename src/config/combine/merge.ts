import { didYouMean } from "../../core/base/suggest.ts";
import { DEFAULT_LIMITS, type Limits } from "../../core/registration/limits.ts";
import { type PackRule, ruleLines } from "../../rules/packs/pack.ts";
import { rulesOfHook } from "../../rules/packs/packs.ts";
import type { ConfigDefinition } from "../config.ts";
import type { FileScope } from "../find/discover.ts";
import type { Layer, LayerEntry } from "../find/unit.ts";
import type { Problem, Warning } from "../parse/problem.ts";
import { EVERYTHING } from "../schema/off-entry.ts";
import { needsTrust } from "../trust/trustable.ts";

/** The default timeout of a hook set. */
const DEFAULT_SECONDS = 30;

/** Who manages hooks when the managed file does not say it. */
const ADMINISTRATOR = "the administrator of this machine";

/** Why a hook must not run, or which files it runs. */
export type Judge = (
  layer: Layer,
  entry: LayerEntry,
) => Pick<ConfigDefinition, "untrusted" | "gone_files" | "files">;

/** All hooks under unique names, with `disabled` and `timeout` applied. */
export function mergeDefinitions(
  layers: readonly Layer[],
  judge: Judge,
  problems: Problem[],
  warnings: Warning[],
): readonly ConfigDefinition[] {
  const taken = new Map<string, LayerEntry>();
  const ofSet = layers.some(({ timeouts }) => timeouts.length > 0) ? DEFAULT_SECONDS : undefined;
  let timeout: number | undefined;
  const merged = layers.flatMap((layer) => {
    // A scope's timeout goes for its own hooks and for lower scopes, never for higher ones: it could make those fail.
    timeout = layer.timeouts.at(-1)?.value ?? timeout;
    const own = new Map<string, LayerEntry>();
    return layer.entries.map((entry): ConfigDefinition => {
      const written = entry.definition.name;
      const first = own.get(written);
      if (first !== undefined) problems.push(duplicate(entry, first));
      own.set(written, first ?? entry);
      const other = first === undefined ? taken.get(written) : undefined;
      const name = other === undefined ? written : freeName(`${layer.scope}:${written}`, taken);
      if (other !== undefined) warnings.push(renamed(entry, other, name));
      taken.set(name, entry);
      // What the set gives is what the lowest scope says, which is not for hooks of higher ones.
      const seconds = entry.definition.timeout ?? timeout ?? ofSet;
      return {
        name,
        definition: entry.definition,
        enabled: entry.definition.enabled ?? true,
        ...(seconds === undefined ? {} : { timeout: seconds }),
        origin: {
          scope: layer.scope,
          file: entry.place.file,
          line: entry.place.line,
          ...(layer.scope === "managed" ? { managed_by: layer.managers.at(-1)?.value ?? ADMINISTRATOR } : {}),
        },
        root: entry.root,
        ...(needsTrust(layer.scope) ? { project: layer.root } : {}),
        ...(entry.pack === undefined ? {} : { pack: entry.pack }),
        ...judge(layer, entry),
      };
    });
  });
  return withoutDisabled(merged, layers, warnings);
}

/** A hook has its own name, that of its file and that of its pack; a rule of a pack has one that no hook has. */
function withoutDisabled(
  definitions: readonly ConfigDefinition[],
  layers: readonly Layer[],
  warnings: Warning[],
): readonly ConfigDefinition[] {
  /** Each with when it is on again, if that is known. */
  const off = new Map<ConfigDefinition, string | undefined>();
  const rulesOff = new Map<ConfigDefinition, readonly string[]>();
  for (const { scope, disabled } of layers) {
    for (const { value: wanted, place, until } of disabled) {
      const warn = (message: string) => warnings.push({ ...place, message });
      if (wanted === EVERYTHING) {
        for (const hook of definitions)
          if (mayDisable(scope, hook.origin.scope) && !off.has(hook)) off.set(hook, until);
        continue;
      }
      const hooks = definitions.filter(({ name, definition, pack }) =>
        [name, definition.name, pack].includes(wanted),
      );
      const holders =
        hooks.length > 0 ? [] : definitions.filter((hook) => rowsOf(hook).some(({ id }) => id === wanted));
      if (hooks.length + holders.length === 0) {
        const rules = definitions.flatMap(rowsOf).map(({ id }) => id);
        const near = didYouMean(wanted, [...definitions.map(({ name }) => name), ...rules]);
        warn(
          `hooks.disabled names ${JSON.stringify(wanted)}, but no hook and no rule of a pack has that name.${near}`,
        );
      }
      for (const hook of [...hooks, ...holders]) {
        const { scope: whose, file, line } = hook.origin;
        if (!mayDisable(scope, whose)) {
          const what = hooks.length > 0 ? "a hook" : "a rule";
          warn(
            `hooks.disabled names ${JSON.stringify(wanted)}, which stays on: it is ${what} of the ${whose} scope (${file}:${line}).`,
          );
        } else if (hooks.length > 0) off.set(hook, until);
        else rulesOff.set(hook, [...new Set([...(rulesOff.get(hook) ?? []), wanted])]);
      }
    }
  }
  return definitions.map((hook) => {
    const rest = withoutRules(hook, rulesOff.get(hook) ?? []);
    if (!off.has(hook)) return rest;
    const off_until = off.get(hook);
    return { ...rest, enabled: false, ...(off_until === undefined ? {} : { off_until }) };
  });
}

function rowsOf({ pack, definition }: ConfigDefinition): readonly PackRule[] {
  return pack === undefined ? [] : rulesOfHook(definition.name);
}

function withoutRules(hook: ConfigDefinition, off: readonly string[]): ConfigDefinition {
  const { definition } = hook;
  if (off.length === 0 || definition.type !== "inline") return hook;
  const left = rowsOf(hook).filter(({ id }) => !off.includes(id));
  if (left.length === 0) return { ...hook, rules_off: off, enabled: false };
  return { ...hook, rules_off: off, definition: { ...definition, rules: ruleLines(left) } };
}

/** The files of a project must not turn off hooks that guard against the project. */
function mayDisable(scope: FileScope, whose: FileScope): boolean {
  return needsTrust(scope) ? needsTrust(whose) : whose !== "managed" || scope === "managed";
}

/**
 * Limits of all scopes: the lowest scope counts, but none goes above what a higher one allows; a project's files not
 * above the defaults either.
 */
export function mergeLimits(layers: readonly Layer[], warnings: Warning[]): Partial<Limits> {
  const merged = new Map<string, number>();
  const ceilings = new Map<string, number>();
  const defaults = new Map<string, number>(Object.entries(DEFAULT_LIMITS));
  for (const { scope, limits } of layers) {
    const own = new Map<string, number>();
    for (const { value, place } of limits) {
      for (const [name, wanted] of Object.entries(value)) {
        const ceiling =
          ceilings.get(name) ?? (needsTrust(scope) ? defaults.get(name) : undefined) ?? Infinity;
        if (wanted > ceiling) {
          const message = `hooks.limits.${name} is ${wanted}, but ${ceilings.has(name) ? "a higher scope allows" : "a project may have at most"} ${ceiling}, so ${ceiling} applies.`;
          warnings.push({ ...place, message });
        }
        own.set(name, Math.min(wanted, ceiling));
      }
    }
    for (const [name, value] of own) {
      merged.set(name, value);
      if (!needsTrust(scope)) ceilings.set(name, value);
    }
  }
  return Object.fromEntries(merged);
}

function freeName(wanted: string, taken: ReadonlyMap<string, unknown>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number += 1) name = `${wanted}#${number}`;
  return name;
}

function duplicate({ definition, place }: LayerEntry, { place: first }: LayerEntry): Problem {
  return {
    code: "config_invalid",
    ...place,
    message: `Hook ${JSON.stringify(definition.name)} is defined twice; the first is at ${first.file}:${first.line}. Give one of them another name.`,
  };
}

function renamed({ definition, place }: LayerEntry, { place: first }: LayerEntry, name: string): Warning {
  return {
    ...place,
    message: `Hook ${JSON.stringify(definition.name)} has the name of a hook at ${first.file}:${first.line}. Both run; this one is called ${JSON.stringify(name)}.`,
  };
}
