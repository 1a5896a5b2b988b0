import { isRecord } from "../../core/base/json.ts";
import { abort, ask, type Outcome } from "../../core/events/outcomes.ts";
import type { ReplyObject } from "./reply-keys.ts";
import { allows, isGate, type ReplySite, refusal } from "./reply-site.ts";

interface RefusingForm {
  readonly key: RegExp;
  readonly value: RegExp;
  make(site: ReplySite): Outcome | undefined;
}

const VERDICT = /^(?:\w*decision|action|behaviou?r)$/i;
const REASON = "It refuses.";

/** How the hooks of any agent refuse: in the keys of a reply, wherever they belong. */
const FORMS: readonly RefusingForm[] = [
  { key: VERDICT, value: /^(?:deny|block)$/i, make: (site) => refusal(site, REASON) },
  { key: /^ok$/i, value: /^false$/i, make: (site) => refusal(site, REASON) },
  { key: VERDICT, value: /^(?:ask|defer)$/i, make: () => ask(REASON) },
  { key: /^continue$/i, value: /^false$/i, make: () => abort(REASON) },
  // The input as it was is what the hook wanted to prevent.
  {
    key: /^updatedInput$/i,
    value: /(?:)/,
    make: (site) => (isGate(site) ? refusal(site, REASON) : undefined),
  },
];

/** What a reply in JSON refuses in whatever form; the levels that decide are looked at, what is deeper is data. */
export function refusingForms(reply: ReplyObject, site: ReplySite): readonly Outcome["type"][] {
  const specific = isRecord(reply.hookSpecificOutput) ? reply.hookSpecificOutput : {};
  const entries = [reply, specific, specific.decision, reply.decision].flatMap((level) =>
    isRecord(level) ? Object.entries(level) : [],
  );
  return FORMS.filter(({ key, value }) =>
    entries.some(([name, said]) => key.test(name) && value.test(String(said))),
  ).flatMap(({ make }) => {
    const type = make(site)?.type;
    return type !== undefined && allows(site, type) ? [type] : [];
  });
}
