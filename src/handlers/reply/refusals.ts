import { abort, ask, deny, type Outcome } from "../../core/outcomes.ts";
import { allows, type ReplySite } from "./reply-site.ts";

/** How replies of any dialect refuse, wherever in a faulty one it stands. */
const REFUSALS = [
  { says: /"(?:decision|permissionDecision|action|behavior)"\s*:\s*"(?:deny|block)"/, make: deny },
  { says: /"ok"\s*:\s*false/, make: deny },
  { says: /"(?:decision|permissionDecision|action|behavior)"\s*:\s*"ask"/, make: ask },
  { says: /"continue"\s*:\s*false/, make: abort },
] as const;

/**
 * What a reply that can't be used refuses all the same. It errs to the safe side: whatever looks like a refusal is
 * one; nothing else is ever taken from such a reply.
 */
export function refusalsIn(text: string, problem: string, site: ReplySite): readonly Outcome[] {
  return REFUSALS.filter(({ says }) => says.test(text))
    .map(({ make }) => make(`It refuses, though its answer is faulty: ${problem}`))
    .filter(({ type }) => allows(site, type));
}
