import type { HookFailure } from "./decision.ts";
import type { Outcome } from "./outcomes.ts";
import type { Rewritten } from "./rewrite.ts";

/** What a hook said, with its rewrite carried out; or how it failed. */
export interface Said {
  readonly outcomes: readonly Outcome[];
  readonly rewritten: Rewritten | undefined;
  readonly failure: HookFailure | undefined;
}

const NO_OUTCOMES: readonly Outcome[] = [];

/** What a hook says that returns nothing. */
export const SAID_NOTHING: Said = { outcomes: NO_OUTCOMES, rewritten: undefined, failure: undefined };

/** What a hook says that has no answer. */
export function saidFailure(failure: HookFailure): Said {
  return { outcomes: NO_OUTCOMES, rewritten: undefined, failure };
}
