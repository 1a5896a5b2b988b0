import type { Outcome } from "../events/outcomes.ts";
import type { HookFailure } from "./decision.ts";
import { refuses } from "./read-outcomes.ts";
import type { Rewritten } from "./rewrite.ts";

/** What a hook said, with its rewrite carried out; or how it failed. */
export interface Said {
  readonly outcomes: readonly Outcome[];
  readonly rewritten: Rewritten | undefined;
  readonly failure: HookFailure | undefined;
}

/** What a hook says that returns nothing. */
export const SAID_NOTHING: Said = { outcomes: [], rewritten: undefined, failure: undefined };

/** What a hook says that failed: it can still say no, so what refuses stays, and the rest is dropped. */
export function saidFailure(failure: HookFailure, { outcomes }: Pick<Said, "outcomes"> = SAID_NOTHING): Said {
  return { outcomes: outcomes.filter(refuses), rewritten: undefined, failure };
}
