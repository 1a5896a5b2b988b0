import { DEFAULT_LIMITS, type Limits } from "../../core/registration/limits.ts";
import type { ForeignHooks, ImportedHook } from "../integration.ts";

type Settings = Readonly<Record<string, unknown>>;

/** No agent stops asking its hooks because a turn took long: a day, and more tokens than a day's work needs. */
const WHOLE_TURN = { turn_seconds: 86_400, turn_tokens: 1_000_000_000 } satisfies Partial<Limits>;

/** Claude Code's own limit on continuations without a tool call between them. */
const CLAUDE_CAP = 8;
/** For a loop of the hook's own making, which agents let run while tools are called. */
const OWN_LOOP = 100;

/** A refusal in a script: exit code 2, or a reply that keeps the agent going. */
const BLOCKS = /\bblock\b|\bdeny\b|\bfollowup_message\b|\bexit\W{0,2}2\b|\bexit_?code\W+2\b|\breturn 2\b/i;

/**
 * The limits that hooks rely on which keep an agent going when it stops; `undefined` when none of them does. Only counts
 * of a loop that a hook does not end itself are raised, but for every such hook the time and the tokens of a turn:
 * otherwise a guard would let everything pass after a long turn.
 */
export function stopLimits(
  hooks: readonly ImportedHook[],
  keepsGoing: (event: string) => boolean,
  { environment = {}, scriptsOf }: Pick<ForeignHooks, "environment" | "scriptsOf">,
): Partial<Limits> | undefined {
  const { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: cap } = environment;
  const wanted = hooks.flatMap(({ definition, original: { event, handler } }) => {
    if (definition === undefined || !keepsGoing(event)) return [];
    return continuationsFor([...stopTexts(definition, scriptsOf), JSON.stringify(handler)], cap) ?? [];
  });
  if (wanted.length === 0) return undefined;
  const most = Math.max(...wanted);
  return {
    ...(most > DEFAULT_LIMITS.stop_continuations
      ? { stop_continuations: most, same_stop_reason: claudeCap(cap) }
      : {}),
    ...WHOLE_TURN,
  };
}

/** True when the texts of a hook show that it can keep an agent going. */
export function mayKeepGoing(definition: Settings, scriptsOf: ForeignHooks["scriptsOf"]): boolean {
  const texts = [...stopTexts(definition, scriptsOf), JSON.stringify(definition.command ?? "")];
  return continuationsFor(texts, undefined) !== undefined;
}

/** A model that is asked whether the work is done can say no as often as it likes. */
function stopTexts(definition: Settings, scriptsOf: ForeignHooks["scriptsOf"]): readonly string[] {
  return definition.type === "command" ? scriptsOf(definition) : ["block"];
}

/** How often Claude Code lets Stop hooks continue a turn without a tool call: as its variable says, else its default. */
function claudeCap(cap: unknown): number {
  const given = Number(cap);
  return Number.isInteger(given) && given > 0 ? given : CLAUDE_CAP;
}

/** How often a Stop hook with these texts may keep a turn going; `undefined` when they show no way to do so. */
function continuationsFor(texts: readonly string[], cap: unknown): number | undefined {
  if (!texts.some((text) => BLOCKS.test(text))) return undefined;
  const ceiling = claudeCap(cap);
  return texts.some((text) => /stop_?hook_?active/i.test(text)) ? ceiling : Math.max(ceiling, OWN_LOOP);
}
