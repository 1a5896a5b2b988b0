import { applyConfig, permissionsDecide } from "../../../../config/combine/apply.ts";
import type { Config } from "../../../../config.ts";
import type { Decision } from "../../../../core/decide/decision.ts";
import { internals } from "../../../../core/internals.ts";
import { permissionHook } from "../../../../hook/permission-hook.ts";
import { createHooks, type Hooks } from "../../../../index.ts";
import { nodeRulePorts } from "../../../../node/ports.ts";
import { ruleText } from "../../../../rules/packs/pack.ts";
import { PACK_RULES, PACKS } from "../../../../rules/packs/packs.ts";
import { compileInlineRules } from "../../../../rules/rules.ts";
import type { Call, Reachable } from "./find.ts";

/** What hooks answer to the weakest of the ways to something. */
export interface Guarded extends Reachable {
  readonly answer: "deny" | "ask" | "open";
  /** The hook that answers, the rule of a pack if it is one, and the reason. */
  readonly hook?: string;
  readonly rule?: string;
  readonly reason?: string;
  /** A call that no hook stops. */
  readonly open?: Call;
}

/** The rules and permissions of a configuration. Programs and models are not asked: they could do something, or cost. */
export async function rulesOf(config: Config): Promise<Hooks> {
  const hooks = createHooks({ limits: config.limits });
  const definitions = config.definitions.filter(({ definition }) => definition.type === "inline");
  await applyConfig(hooks, { ...config, definitions });
  if (permissionsDecide(config, "PreToolUse")) {
    const set = internals(hooks);
    set.replace([], [permissionHook(set, config)]);
  }
  return hooks;
}

/** Asks the rules about every way to a thing; it is as safe as the one that they guard least. */
export async function guardOf(
  thing: Reachable,
  hooks: Hooks,
  cwd: string,
  signal: AbortSignal,
): Promise<Guarded> {
  let asked: Decision | undefined;
  let denied: Decision | undefined;
  for (const call of thing.calls) {
    const event = { hook_event_name: "PreToolUse", session_id: "reach", cwd, ...call };
    const decision = await hooks.fireUntyped(event, { signal });
    if (decision.action === "ask") asked ??= decision;
    else if (decision.action === "deny") denied ??= decision;
    else return { ...thing, answer: "open", open: call };
  }
  const decision = asked ?? denied;
  const by = decision?.runs.find(({ outcome }) => outcome?.action === decision.action);
  const rule = [...PACK_RULES.values()].find((row) => ruleText(row) === by?.outcome?.reason)?.id;
  return {
    ...thing,
    answer: asked === undefined ? "deny" : "ask",
    hook: by?.name,
    rule,
    reason: by?.outcome?.reason,
  };
}

/** The packs that are not in use and would stop these calls; one that stops no more than those before it is left out. */
export async function helpfulPacks(
  calls: readonly Call[],
  used: ReadonlySet<string | undefined>,
  cwd: string,
): Promise<readonly string[]> {
  const found: string[] = [];
  let open = calls;
  for (const { name, definitions } of PACKS.values()) {
    // Without a network most work is impossible: that is a choice of its own.
    if (open.length === 0 || used.has(name) || name === "no-network") continue;
    const compiled = await Promise.all(definitions.map((hook) => compileInlineRules(hook, nodeRulePorts)));
    const left: Call[] = [];
    for (const call of open) {
      const event = { hook_event_name: "PreToolUse", session_id: "reach", cwd, ...call };
      const outcomes = await Promise.all(compiled.map(({ decide }) => decide(event)));
      if (outcomes.every(({ action }) => action === "continue")) left.push(call);
    }
    if (left.length < open.length) found.push(name);
    open = left;
  }
  return found;
}
