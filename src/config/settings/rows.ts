import type { Sections } from "../layer.ts";
import type { SectionName } from "../schema/sections.ts";

/** What a section holds. */
export type Section<Name extends SectionName> = NonNullable<Sections[Name]>;

/** Tells that something of a lower scope does not count, by its path in the section and why. */
export type Tell = (path: string, why: string) => void;

/** How the sections of several files become one. */
export interface SectionRow<Value> {
  /** Two files that may say the same things: the later one counts. */
  join(earlier: Value, later: Value): Value;
  /** A file of a lower scope below what higher scopes say, which it can only make narrower. */
  narrow(upper: Value, lower: Value, tell: Tell): Value;
}

/** The loosest first. */
const MODES = ["bypass", "accept-edits", "default", "dont-ask", "plan"] as const;
const SANDBOXES = ["off", "workspace-write", "read-only"] as const;
/** Both refusals keep the call from happening. */
const DEGRADED = [["observe"], ["refuse", "deny"]] as const;
/** What becomes of an agent's question without anybody, or anything but a human, answering it. */
const UNANSWERED: readonly string[] = ["escalate", "fail"];
const DEFAULT_JUDGE = { judge_cache_seconds: 300, judge_budget: 200 };

const UPPER_SAYS = "a higher scope has set it";

/** The one table of sections: how the files of all scopes combine. */
export const SECTION_ROWS: { readonly [Name in SectionName]: SectionRow<Section<Name>> } = {
  models: {
    join: (earlier, later) => ({ ...earlier, ...later }),
    // A model may be chosen where higher scopes left it open; numbers only go down.
    narrow: (upper, lower, tell) => ({
      ...chosenWhereOpen(upper, lower, tell, ["default", "fallback", "judge"]),
      ...onlyLower(upper, lower, DEFAULT_JUDGE, tell),
    }),
  },
  permissions: {
    join: (earlier, later) => ({
      ...earlier,
      ...later,
      ...union("deny", earlier.deny, later.deny),
      ...union("ask", earlier.ask, later.ask),
      ...union("allow", earlier.allow, later.allow),
    }),
    narrow: (upper, lower, tell) => ({
      ...stricter("mode", MODES, upper.mode, lower.mode, "default", tell),
      ...union("deny", upper.deny, lower.deny),
      ...union("ask", upper.ask, lower.ask),
      ...narrowAllow(upper, lower, tell),
    }),
  },
  sandbox: {
    join: (earlier, later) => ({ ...earlier, ...later }),
    narrow: (upper, lower, tell) => stricter("mode", SANDBOXES, upper.mode, lower.mode, "off", tell),
  },
  memory: {
    join: (earlier, later) => ({ ...earlier, ...later }),
    narrow: (upper, lower, tell) => chosenWhereOpen(upper, lower, tell, ["files"]),
  },
  mcp_servers: {
    join: (earlier, later) => ({ ...earlier, ...later }),
    // A server under a name that is taken would be asked in place of the one that is meant.
    narrow: (upper, lower, tell) => {
      for (const name of Object.keys(lower))
        if (Object.hasOwn(upper, name)) tell(name, "a higher scope has a server of that name");
      return { ...lower, ...upper };
    },
  },
  monitor: {
    join: (earlier, later) => ({ ...earlier, ...later }),
    narrow: (upper, lower, tell) => {
      const { on_prompt: wanted, ...rest } = lower;
      const action = typeof wanted === "object" ? wanted.action : wanted;
      const keeps = action !== undefined && UNANSWERED.includes(action);
      if (wanted !== undefined && !keeps)
        tell("on_prompt", `a project can't have questions answered, only ${UNANSWERED.join(" or ")}`);
      const open = { ...rest, ...(wanted !== undefined && keeps ? { on_prompt: wanted } : {}) };
      const keys = ["on_prompt", "on_idle", "on_dead", "on_error", "on_stop", "notify"] as const;
      return chosenWhereOpen(upper, open, tell, keys);
    },
  },
  degrade: {
    join: (earlier, later) => ({ ...earlier, ...later }),
    narrow: (upper, lower, tell) => ({
      ...stricter("ask", DEGRADED, upper.ask, lower.ask, "deny", tell),
      ...stricter("rewrite", DEGRADED, upper.rewrite, lower.rewrite, "refuse", tell),
    }),
  },
};

/**
 * A project may have calls go on unasked where higher scopes say nothing about what goes on unasked. Where they do, only
 * what they allow too.
 */
function narrowAllow(
  upper: Section<"permissions">,
  lower: Section<"permissions">,
  tell: Tell,
): Pick<Section<"permissions">, "allow"> {
  if (upper.allow === undefined && upper.mode === undefined) return union("allow", undefined, lower.allow);
  for (const call of lower.allow ?? [])
    if (upper.allow?.includes(call) !== true)
      tell(`allow ${JSON.stringify(call)}`, "a higher scope says what goes on unasked");
  return union("allow", upper.allow, undefined);
}

function union<Key extends string>(
  key: Key,
  first: readonly string[] | undefined,
  second: readonly string[] | undefined,
): { [Name in Key]?: string[] } {
  const all: { [Name in Key]?: string[] } = {};
  if (first !== undefined || second !== undefined)
    all[key] = [...new Set([...(first ?? []), ...(second ?? [])])];
  return all;
}

/** What the higher scopes say, and of the lower one what they leave open. */
function chosenWhereOpen<Value extends object>(
  upper: Value,
  lower: Value,
  tell: Tell,
  keys: readonly (keyof Value & string)[],
): Value {
  const chosen = { ...upper };
  for (const key of keys) {
    if (lower[key] === undefined) continue;
    if (upper[key] === undefined) chosen[key] = lower[key];
    else if (JSON.stringify(upper[key]) !== JSON.stringify(lower[key])) tell(key, UPPER_SAYS);
  }
  return chosen;
}

/** Numbers that a lower scope can only make smaller, also where nobody above says anything but the default. */
function onlyLower<Key extends string>(
  upper: { readonly [Name in NoInfer<Key>]?: number },
  lower: { readonly [Name in NoInfer<Key>]?: number },
  defaults: Readonly<Record<Key, number>>,
  tell: Tell,
): { [Name in Key]?: number } {
  const chosen: { [Name in Key]?: number } = {};
  for (const key in defaults) {
    const most = upper[key] ?? defaults[key];
    const wanted = lower[key];
    if (wanted !== undefined && wanted > most) tell(key, `${most} is the most a higher scope allows`);
    const value = wanted !== undefined && wanted <= most ? wanted : upper[key];
    if (value !== undefined) chosen[key] = value;
  }
  return chosen;
}

/** One of several words that are in order from loose to strict, some of them equally so: only ever stricter. */
function stricter<Key extends string, Word extends string>(
  key: Key,
  order: readonly (Word | readonly Word[])[],
  upper: Word | undefined,
  lower: Word | undefined,
  otherwise: Word,
  tell: Tell,
): { [Name in Key]?: Word } {
  const rank = (word: Word): number => order.findIndex((step) => step === word || step.includes(word));
  const chosen: { [Name in Key]?: Word } = {};
  const least = rank(upper ?? otherwise);
  const takes =
    lower !== undefined && (rank(lower) > least || (upper === undefined && rank(lower) === least));
  if (takes) chosen[key] = lower;
  else if (upper !== undefined) chosen[key] = upper;
  if (lower !== undefined && rank(lower) < least) tell(key, `it would be looser than ${upper ?? otherwise}`);
  return chosen;
}
