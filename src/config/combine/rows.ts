import { withoutUndefined } from "../../core/base/json.ts";
import { PERMISSION_MODES, SANDBOX_MODES } from "../../core/contracts/tool.ts";
import type { Sections } from "../find/unit.ts";
import type { SectionName } from "../schema/sections.ts";

export type Section<Name extends SectionName> = NonNullable<Sections[Name]>;

export interface SectionRow<Value> {
  /** Combines two files of equal rank. */
  join(earlier: Value, later: Value): Value;
  /** Applies a lower scope, which can only narrow what higher scopes say. */
  narrow(upper: Value, lower: Value, tell: Tell, who: Lower): Value;
  /** What counts of it before it is trusted: only what forbids something. Without this, nothing does. */
  untrusted?(value: Value): Value;
}

const DEGRADED = [["observe"], ["refuse", "deny"]] as const;
/** Reactions to an agent's question that leave the answer to a human. */
const UNANSWERED: readonly string[] = ["escalate", "fail"];
const DEFAULT_JUDGE = { judge_cache_seconds: 300, judge_budget: 200 };

function laterWins<Value extends object>(earlier: Value, later: Value): Value {
  return { ...earlier, ...later };
}

/** The one table of sections: how the files of all scopes combine. */
export const SECTION_ROWS: { readonly [Name in SectionName]: SectionRow<Section<Name>> } = {
  models: {
    join: laterWins,
    // A model may be chosen where higher scopes left it open; numbers only go down.
    narrow: (upper, lower, tell, who) => ({
      ...chosenWhereOpen(upper, lower, tell, ["default", "fallback", "judge", "prices", "rate_limit"]),
      ...onlyLower(upper, lower, DEFAULT_JUDGE, tell, who),
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
    narrow: (upper, lower, tell, who) => ({
      ...stricter("mode", PERMISSION_MODES, upper.mode, lower.mode, bound(who, "default"), tell),
      ...union("deny", upper.deny, lower.deny),
      ...union("ask", upper.ask, lower.ask),
      ...narrowAllow(upper, lower, tell),
    }),
    untrusted: ({ deny, ask }) => withoutUndefined({ deny, ask }),
  },
  sandbox: {
    join: laterWins,
    narrow: (upper, lower, tell, who) =>
      stricter("mode", SANDBOX_MODES, upper.mode, lower.mode, bound(who, "off"), tell),
  },
  memory: {
    join: laterWins,
    narrow: (upper, lower, tell) => chosenWhereOpen(upper, lower, tell, ["files"]),
  },
  compaction: {
    join: laterWins,
    // A conversation may be shortened earlier than higher scopes want it, not later.
    narrow: (upper, lower, tell, who) => ({
      ...chosenWhereOpen(upper, lower, tell, ["keep_tokens", "model", "instructions"]),
      ...onlyLower(upper, lower, { threshold_tokens: Number.POSITIVE_INFINITY }, tell, who),
    }),
  },
  agents: {
    join: laterWins,
    narrow: (upper, lower, tell, who) =>
      onlyLower(upper, lower, { max_concurrency: Number.POSITIVE_INFINITY }, tell, who),
  },
  checkpoints: {
    join: laterWins,
    narrow: (upper, lower, tell) => chosenWhereOpen(upper, lower, tell, ["messages"]),
  },
  mcp_servers: {
    join: laterWins,
    // A server under a name that is taken would be asked in place of the one that is meant.
    narrow: (upper, lower, tell) => {
      for (const name of Object.keys(lower))
        if (Object.hasOwn(upper, name)) tell(name, "a higher scope has a server of that name");
      return { ...lower, ...upper };
    },
  },
  monitor: {
    join: laterWins,
    narrow: (upper, lower, tell, who) => {
      const { decisions, notify, agents, history, database, max_concurrency: _, ...triggers } = lower;
      if (decisions !== undefined && who === "project")
        tell("decisions", "a project can't have questions answered");
      if (history !== undefined && who === "project") tell("history", "it is of all projects");
      if (database !== undefined && who === "project")
        tell("database", "a project can't say where your agents are recorded");
      const open = {
        ...narrowPrompt(triggers, tell, who),
        ...narrowNotify(notify, tell, who),
        ...(decisions !== undefined && who === "user" ? { decisions } : {}),
        ...(history !== undefined && who === "user" ? { history } : {}),
        ...(database !== undefined && who === "user" ? { database } : {}),
      };
      return {
        ...chosenWhereOpen(upper, open, tell, MONITOR_KEYS),
        ...narrowAgents(upper, agents, tell, who),
        ...onlyLower(upper, lower, { max_concurrency: Number.POSITIVE_INFINITY }, tell, who),
      };
    },
  },
  daemon: {
    join: (earlier, later) => earlier && later,
    narrow: (upper, lower) => upper && lower,
  },
  self_protection: {
    join: laterWins,
    narrow: (upper, lower, tell, who) => {
      if (who === "user") return chosenWhereOpen(upper, lower, tell, ["enabled"]);
      if (lower.enabled === false) tell("enabled", "only the user's own file can turn it off");
      return upper;
    },
  },
  mods: {
    join: (earlier, later) => union("allow", earlier.allow, later.allow),
    narrow: (upper, lower, tell, who) => {
      if (who === "user") return chosenWhereOpen(upper, lower, tell, ["allow"]);
      if (lower.allow !== undefined) tell("allow", "only the user's own file can allow a plug-in");
      return upper;
    },
  },
  degrade: {
    join: laterWins,
    narrow: (upper, lower, tell, who) => ({
      ...stricter("ask", DEGRADED, upper.ask, lower.ask, bound(who, "deny"), tell),
      ...stricter("rewrite", DEGRADED, upper.rewrite, lower.rewrite, bound(who, "refuse"), tell),
    }),
  },
};

const MONITOR_KEYS = [
  "watch",
  "on_prompt",
  "on_idle",
  "on_dead",
  "on_error",
  "on_stop",
  "notify",
  "decisions",
  "database",
  "history",
] as const;

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
      tell(`allow ${JSON.stringify(call)}`, "a higher scope decides what runs without asking");
  return union("allow", upper.allow, undefined);
}

function narrowPrompt(
  triggers: Omit<Section<"monitor">, "agents">,
  tell: Tell,
  who: Lower,
): Omit<Section<"monitor">, "agents"> {
  const { on_prompt: wanted, ...rest } = triggers;
  const action = typeof wanted === "object" ? wanted.action : wanted;
  if (action === undefined || who === "user" || UNANSWERED.includes(action)) return triggers;
  tell("on_prompt", `a project can't have questions answered, only ${UNANSWERED.join(" or ")}`);
  return rest;
}

/** Triggers of single agents count where a higher scope says nothing, neither about them nor about all agents. */
function narrowAgents(
  { agents: upper = {}, ...ofAll }: Section<"monitor">,
  lower: Section<"monitor">["agents"] = {},
  tell: Tell,
  who: Lower,
): Pick<Section<"monitor">, "agents"> {
  const open = Object.entries(lower).map(([pattern, triggers]) => {
    const own = narrowPrompt(triggers, (path, why) => tell(`agents.${pattern}.${path}`, why), who);
    const kept = Object.entries(own).filter(([name]) => {
      const isTaken = Object.hasOwn(ofAll, name) || Object.hasOwn(upper[pattern] ?? {}, name);
      if (isTaken) tell(`agents.${pattern}.${name}`, UPPER_SAYS);
      return !isTaken;
    });
    return [pattern, { ...upper[pattern], ...Object.fromEntries(kept) }] as const;
  });
  // Those of the higher scope come first, and so does what they say.
  const agents = { ...upper, ...Object.fromEntries(open) };
  return Object.keys(agents).length === 0 ? {} : { agents };
}

/** The other channels send a token to a server that the file names, or run a command outside of any session. */
function narrowNotify(
  notify: Section<"monitor">["notify"],
  tell: Tell,
  who: Lower,
): Pick<Section<"monitor">, "notify"> {
  if (notify === undefined) return {};
  const open = notify.filter((target) => who === "user" || "desktop" in target || "webhook" in target);
  if (open.length < notify.length) tell("notify", "a project can only notify the desktop and a webhook");
  return open.length === 0 ? {} : { notify: open };
}

/** Reports a value of a lower scope that does not count, and why. */
export type Tell = (path: string, why: string) => void;

/** A user may choose where managed files say nothing; a project is bound by the defaults too. */
export type Lower = "user" | "project";

const UPPER_SAYS = "a higher scope has set it";

/** The union of two lists under one key; nothing when both are missing. */
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

/** The values of the higher scopes, and those of the lower scope for keys that they leave open. */
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

function bound<Word>(who: Lower, word: Word): Word | undefined {
  return who === "project" ? word : undefined;
}

/** Numbers that a lower scope can only lower. */
function onlyLower<Key extends string>(
  upper: { readonly [Name in NoInfer<Key>]?: number },
  lower: { readonly [Name in NoInfer<Key>]?: number },
  defaults: Readonly<Record<Key, number>>,
  tell: Tell,
  who: Lower,
): { [Name in Key]?: number } {
  const chosen: { [Name in Key]?: number } = {};
  for (const key in defaults) {
    const most = upper[key] ?? bound(who, defaults[key]) ?? Number.POSITIVE_INFINITY;
    const wanted = lower[key];
    if (wanted !== undefined && wanted > most) tell(key, `${most} is the most a higher scope allows`);
    const value = wanted !== undefined && wanted <= most ? wanted : upper[key];
    if (value !== undefined) chosen[key] = value;
  }
  return chosen;
}

/** A word from a list ordered from loose to strict; a lower scope can only choose a stricter one. */
function stricter<Key extends string, Word extends string>(
  key: Key,
  order: readonly (Word | readonly Word[])[],
  upper: Word | undefined,
  lower: Word | undefined,
  otherwise: Word | undefined,
  tell: Tell,
): { [Name in Key]?: Word } {
  const rank = (word: Word | undefined): number =>
    order.findIndex((step) => (typeof step === "string" ? step === word : step.some((one) => one === word)));
  const chosen: { [Name in Key]?: Word } = {};
  const least = upper ?? otherwise;
  const takes =
    lower !== undefined &&
    (rank(lower) > rank(least) || (upper === undefined && rank(lower) === rank(least)));
  if (takes) chosen[key] = lower;
  else if (upper !== undefined) chosen[key] = upper;
  if (lower !== undefined && rank(lower) < rank(least)) tell(key, `it would be looser than ${least}`);
  return chosen;
}
