/** Claude Code's own limit on continuations without a tool call between them. */
const CLAUDE_CAP = 8;
/** For a loop of the hook's own making, which Claude Code lets run while tools are called. */
const OWN_LOOP = 100;

/** A refusal in a script: exit code 2, or a reply that blocks. */
const BLOCKS = /\bblock\b|\bexit\W{0,2}2\b|\bexit_?code\W+2\b|\breturn 2\b/i;

/** How often Claude Code lets Stop hooks continue a turn without a tool call: as its variable says, else its default. */
export function claudeCap(cap: unknown): number {
  const given = Number(cap);
  return Number.isInteger(given) && given > 0 ? given : CLAUDE_CAP;
}

/** How often a Stop hook with these texts may keep a turn going; `undefined` when they show no way to do so. */
export function continuationsFor(texts: readonly string[], cap: unknown): number | undefined {
  if (!texts.some((text) => BLOCKS.test(text))) return undefined;
  const ceiling = claudeCap(cap);
  return texts.some((text) => /stop_?hook_?active/i.test(text)) ? ceiling : Math.max(ceiling, OWN_LOOP);
}
