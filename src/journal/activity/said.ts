import { capText } from "../../core/base/text.ts";
import type { HookRun } from "../../core/decide/decision.ts";
import { saidBy } from "../verdict.ts";

/*
 * Who said what in a call, in one column: a word for each hook that ran (`7`), for what it said (`7d`), the same for its
 * rule (`7.12`, `7.12d`), and `f` when any of them failed. Lists find the calls behind a number by one of these words.
 */

/** What a number counts of a hook or a rule. */
export const SAID = { ran: "", deny: "d", ask: "a", rewrite: "r", would: "w", failed: "f" } as const;
export type Said = keyof typeof SAID;

const LONGEST_RULE = 200;

/** What a run said that is counted. */
export function saidIn({ outcome, would, failure }: HookRun): readonly Said[] {
  const said = outcome === undefined ? [] : saidBy(outcome).map(([one]) => one);
  return [
    ...(said.includes("deny") ? (["deny"] as const) : []),
    ...(said.includes("ask") ? (["ask"] as const) : []),
    ...(said.includes("rewrite") ? (["rewrite"] as const) : []),
    ...(would === undefined ? [] : (["would"] as const)),
    ...(failure === undefined ? [] : (["failed"] as const)),
  ];
}

/** The rule that decided, as it is written. */
export function ruleOf({ rule, would }: HookRun): string | undefined {
  const { source } = rule ?? would?.rule ?? {};
  return typeof source === "string" ? capText(source.trim(), LONGEST_RULE) : undefined;
}

export function saidText(runs: readonly HookRun[], idOf: (name: string) => number): string {
  const words = new Set<string>();
  for (const run of runs) {
    if (run.skipped !== undefined) continue;
    const hook = idOf(run.name);
    const rule = ruleOf(run);
    for (const said of ["ran", ...saidIn(run)] as const) {
      words.add(saidWord(said, hook));
      if (rule !== undefined) words.add(saidWord(said, hook, idOf(rule)));
      if (said === "failed") words.add(SAID.failed);
    }
  }
  return words.size === 0 ? "" : ` ${[...words].join(" ")} `;
}

export function saidWord(said: Said, hook?: number, rule?: number): string {
  return `${hook ?? ""}${rule === undefined ? "" : `.${rule}`}${SAID[said]}`;
}
