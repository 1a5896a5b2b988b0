import { PERMISSION_MODES, SANDBOX_MODES } from "../../core/contracts/tool.ts";
import type { SectionName } from "../schema/sections.ts";
import type { Sections } from "./layer.ts";
import { bound, chosenWhereOpen, type Lower, onlyLower, stricter, type Tell, union } from "./narrowing.ts";

/** What a section holds. */
export type Section<Name extends SectionName> = NonNullable<Sections[Name]>;

/** How the sections of several files become one. */
export interface SectionRow<Value> {
  /** Two files that may say the same things: the later one counts. */
  join(earlier: Value, later: Value): Value;
  /** A file of a lower scope below what higher scopes say, which it can only make narrower. */
  narrow(upper: Value, lower: Value, tell: Tell, who: Lower): Value;
}

/** Both refusals keep the call from happening. */
const DEGRADED = [["observe"], ["refuse", "deny"]] as const;
/** What becomes of an agent's question without anybody, or anything but a human, answering it. */
const UNANSWERED: readonly string[] = ["escalate", "fail"];
const DEFAULT_JUDGE = { judge_cache_seconds: 300, judge_budget: 200 };

/** The one table of sections: how the files of all scopes combine. */
export const SECTION_ROWS: { readonly [Name in SectionName]: SectionRow<Section<Name>> } = {
  models: {
    join: (earlier, later) => ({ ...earlier, ...later }),
    // A model may be chosen where higher scopes left it open; numbers only go down.
    narrow: (upper, lower, tell, who) => ({
      ...chosenWhereOpen(upper, lower, tell, ["default", "fallback", "judge"]),
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
  },
  sandbox: {
    join: (earlier, later) => ({ ...earlier, ...later }),
    narrow: (upper, lower, tell, who) =>
      stricter("mode", SANDBOX_MODES, upper.mode, lower.mode, bound(who, "off"), tell),
  },
  memory: {
    join: (earlier, later) => ({ ...earlier, ...later }),
    narrow: (upper, lower, tell) => chosenWhereOpen(upper, lower, tell, ["files"]),
  },
  compaction: {
    join: (earlier, later) => ({ ...earlier, ...later }),
    // A conversation may be shortened earlier than higher scopes want it, not later.
    narrow: (upper, lower, tell, who) => ({
      ...chosenWhereOpen(upper, lower, tell, ["keep_messages", "model", "instructions"]),
      ...onlyLower(upper, lower, { threshold_tokens: Number.POSITIVE_INFINITY }, tell, who),
    }),
  },
  checkpoints: {
    join: (earlier, later) => ({ ...earlier, ...later }),
    narrow: (upper, lower, tell) => chosenWhereOpen(upper, lower, tell, ["messages"]),
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
    narrow: (upper, lower, tell, who) => {
      const { on_prompt: wanted, ...rest } = lower;
      const action = typeof wanted === "object" ? wanted.action : wanted;
      const keeps = who === "user" || (action !== undefined && UNANSWERED.includes(action));
      if (wanted !== undefined && !keeps)
        tell("on_prompt", `a project can't have questions answered, only ${UNANSWERED.join(" or ")}`);
      const open = { ...rest, ...(wanted !== undefined && keeps ? { on_prompt: wanted } : {}) };
      const keys = ["on_prompt", "on_idle", "on_dead", "on_error", "on_stop", "notify"] as const;
      return chosenWhereOpen(upper, open, tell, keys);
    },
  },
  degrade: {
    join: (earlier, later) => ({ ...earlier, ...later }),
    narrow: (upper, lower, tell, who) => ({
      ...stricter("ask", DEGRADED, upper.ask, lower.ask, bound(who, "deny"), tell),
      ...stricter("rewrite", DEGRADED, upper.rewrite, lower.rewrite, bound(who, "refuse"), tell),
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
