import { integrationOf } from "../../../adapters/integrations.ts";
import { defaultTools } from "../../../agent/tools/default-tools.ts";
import { applyConfig, permissionsDecide } from "../../../config/combine/apply.ts";
import { packEntries } from "../../../config/find/use.ts";
import type { Config, ConfigDefinition } from "../../../config.ts";
import { isTenterhookError, TenterhookError } from "../../../core/base/errors.ts";
import type { Decision, HookOutcome, HookRun } from "../../../core/decide/decision.ts";
import type { AnyEvent } from "../../../core/events/payloads.ts";
import { internals } from "../../../core/internals.ts";
import { canonicalToolName } from "../../../core/match/tool-names.ts";
import type { PackName } from "../../../core/registration/plugin.ts";
import { PERMISSION_HOOK, permissionHook } from "../../../hook/permission-hook.ts";
import { usageNow } from "../../../hook/usage.ts";
import { createHooks, type Hooks } from "../../../index.ts";
import { PLACES } from "../../../node/places.ts";
import { nodeRulePorts } from "../../../node/ports.ts";
import { readCall } from "../../../rules/fields/reading.ts";
import { PACK_RULES, PACKS } from "../../../rules/packs/packs.ts";
import { type CommandRun, flagOption, type Invocation, textOption } from "../../command-line/command.ts";
import { loadInForce } from "../../configured-hooks/load-hooks.ts";
import { turnPrograms } from "../../configured-hooks/turn-programs.ts";
import { type GivenEvent, readEvent, readNative } from "./explain/read-event.ts";

import { type ExplainedHook, type Explanation, explanationBlocks, unguardedBlocks } from "./explain/show.ts";
import {
  EVENTS_HINT,
  matcherPorts,
  NOT_RUN,
  rewrittenEvent,
  whyInTheEnd,
  whyMatched,
} from "./explain/why.ts";

export const run: CommandRun = async (invocation) => {
  const { names } = invocation;
  const agent = textOption(invocation, "agent");
  const integration = agent === undefined ? undefined : await integrationOf(agent);
  const adapter = integration?.adapter;
  const source = names[0] ?? "-";
  const given =
    integration === undefined
      ? await readEvent(source, invocation)
      : await readNative(integration, source, invocation);
  const folder = typeof given.cwd === "string" ? given.cwd : invocation.cwd;
  const { hooks, config } = await loadInForce(invocation, folder);
  const usage = adapter && (await usageNow(given, adapter, config.settings.models.prices));
  const event = usage === undefined ? given : { ...given, usage };
  const own = integration === undefined && config.settings.permissions.mode !== undefined;
  if (permissionsDecide(config, event.hook_event_name) || own) {
    const set = internals(hooks);
    const tools = new Map(defaultTools().map((tool) => [tool.name, tool]));
    const toolNamed = (name: string) => tools.get(canonicalToolName(name));
    set.replace([], [permissionHook(set, config, own ? toolNamed : undefined)]);
  }
  try {
    const explained = await explain(hooks, event, config, invocation);
    const { decision } = explained;
    const native =
      decision === null ? undefined : adapter?.encode(decision, explained.event, config.settings.degrade);
    const programs = await turnPrograms({ ...invocation, cwd: folder }, config);
    const program = programs.find((one) => one.event === event.hook_event_name);
    const explanation = { ...explained, native, program };
    const isBare =
      program === undefined &&
      config.definitions.length === 0 &&
      config.broken === undefined &&
      config.trust.gone === undefined;
    const blocks =
      isBare && decision?.action === "continue"
        ? unguardedBlocks(explanation, await byPack("safe-shell", config, event, invocation))
        : explanationBlocks(explanation, flagOption(invocation, "verbose"), invocation.cwd);
    return { json: explanation, blocks: [blocks] };
  } finally {
    await hooks.close();
  }
};

/** What a pack that is not used would decide. */
async function byPack(
  pack: PackName,
  config: Config,
  event: GivenEvent,
  { signal, cwd }: Invocation,
): Promise<{ readonly pack: PackName; readonly action: string }> {
  const place = { file: pack, line: 1, column: 1 };
  const definitions = [...PACKS]
    .flatMap(([name, one]) => (name === pack ? packEntries(one, place, cwd) : []))
    .map(
      ({ definition, root }): ConfigDefinition => ({
        name: definition.name,
        definition,
        enabled: true,
        origin: { scope: "user", file: pack, line: 1 },
        root,
        pack,
      }),
    );
  const hooks = createHooks();
  await applyConfig(hooks, { ...config, definitions });
  const { decision } = await decided(hooks, event, signal);
  await hooks.close();
  return { pack, action: decision.action };
}

async function explain(
  hooks: Hooks,
  given: GivenEvent,
  { guards, definitions }: Config,
  invocation: Invocation,
): Promise<Explanation> {
  const dry = flagOption(invocation, "dry");
  const { event, decision } = await decided(dry ? createHooks() : hooks, given, invocation.signal);
  await hooks.settled();
  const ports = matcherPorts();
  const defined = new Map([...guards, ...definitions].map((one) => [one.name, one]));
  const explained: ExplainedHook[] = [];
  for (const hook of hooks.list()) {
    const runs = decision.runs.filter(({ name }) => name === hook.name);
    const run = runs.at(-1);
    const distrust = dry ? defined.get(hook.name)?.untrusted : undefined;
    const notRun = distrust === undefined ? undefined : ({ kind: "untrusted", message: distrust } as const);
    const { outcome, rule, failure = notRun } = weightiest(runs) ?? {};
    const would = runs.find((one) => one.would !== undefined)?.would;
    const atFirst = await whyMatched(hook, event, ports);
    const inTheEnd = await whyMatched(hook, rewrittenEvent(event, decision), ports);
    const why = whyInTheEnd(atFirst, inTheEnd, run);
    // A hook of our own, such as the one that reports missing trust, is listed only when it has something to say.
    const isSilent =
      outcome === undefined && failure === undefined && !(dry && hook.name === PERMISSION_HOOK);
    if (hook.name.startsWith("tenterhook:") && isSilent) continue;
    const { file, line } = hook.origin;
    explained.push({
      name: hook.name,
      file,
      line,
      pack: defined.get(hook.name)?.pack,
      gone_files: defined.get(hook.name)?.gone_files,
      matched: why.matched,
      why: failure?.kind === "untrusted" ? `${why.why}${NOT_RUN}` : why.why,
      outcome,
      would,
      rule,
      failure,
      off: offCommand(definitions, hook.name, outcome),
    });
  }
  const reading = await readCall(event, nodeRulePorts);
  return { event, reading, decision: dry ? null : decision, hooks: explained };
}

/** How a person lives without what refuses: the rule of a pack, or the hook. Nothing switches a managed one off. */
function offCommand(
  definitions: Config["definitions"],
  name: string,
  outcome: HookOutcome | undefined,
): string | undefined {
  const defined = definitions.find((one) => one.name === name);
  if (outcome?.action !== "deny" || defined === undefined || defined.origin.scope === "managed")
    return undefined;
  const rule = / \(rule ([\w-]+)\)$/.exec(outcome.reason ?? "")?.[1] ?? "";
  return `tenterhook off ${defined.pack !== undefined && PACK_RULES.has(rule) ? rule : PLACES.word(name)} --for 30m`;
}

/** The run to show: the last that refused, asked or failed, else the first, which may have rewritten. */
function weightiest(runs: readonly HookRun[]): HookRun | undefined {
  const last = runs.at(-1);
  const isHeavy = last?.failure !== undefined || (last?.outcome?.action ?? "continue") !== "continue";
  return isHeavy ? last : (runs.find(({ outcome }) => outcome !== undefined) ?? last);
}

/** Fires the event; returns it as hooks saw it, with the decision. */
async function decided(
  hooks: Hooks,
  given: GivenEvent,
  signal: AbortSignal,
): Promise<{ readonly event: AnyEvent; readonly decision: Decision }> {
  let seen: AnyEvent | undefined;
  const off = hooks.observe({
    onDecision: ({ event }) => {
      seen = event;
    },
  });
  const decision = await hooks.fireUntyped(given, { signal }).catch((error: unknown) => {
    if (!isTenterhookError(error) || error.code !== "unknown_event") throw error;
    throw new TenterhookError("unknown_event", error.message, { hint: EVENTS_HINT, cause: error });
  });
  off();
  if (seen === undefined) throw new Error("The engine did not report its decision.");
  return { event: seen, decision };
}
