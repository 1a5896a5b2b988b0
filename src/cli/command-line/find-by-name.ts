import { TenterhookError } from "../../core/base/errors.ts";
import { didYouMean } from "../../core/base/suggest.ts";
import { SHORTEST_TAG } from "../../shared/tags.ts";

/**
 * The name itself, or the only one that begins like it; `undefined` when none does.
 *
 * @param kind what has these names: `hook`.
 * @throws TenterhookError `ambiguous_name` with all matches.
 */
function matchingName(kind: string, wanted: string, names: readonly string[]): string | undefined {
  const found = names.filter((name) => name.startsWith(wanted));
  if (found.includes(wanted) || found.length < 2) return found.includes(wanted) ? wanted : found[0];
  throw new TenterhookError(
    "ambiguous_name",
    `Several ${kind}s begin with ${JSON.stringify(wanted)}: ${found.join(", ")}.`,
  );
}

/**
 * The session with this id, the only one whose id begins so, or the only one with this tag at its end.
 *
 * @throws TenterhookError `ambiguous_name` with all matches.
 */
export function matchingSession(wanted: string, ids: readonly string[]): string | undefined {
  const begins = matchingName("session", wanted, ids);
  const tagged = wanted.length < SHORTEST_TAG ? [] : ids.filter((id) => id.endsWith(wanted));
  return begins ?? (tagged.length === 1 ? tagged[0] : undefined);
}

/**
 * Finds a hook by its name or the beginning of its name.
 *
 * @throws TenterhookError `ambiguous_name` with all matches; `unknown_hook` with the nearest name.
 */
export function findHook<Hook extends { readonly name: string }>(
  hooks: readonly Hook[],
  wanted: string,
): Hook {
  const names = hooks.map(({ name }) => name);
  const match = matchingName("hook", wanted, names);
  const hook = hooks.find(({ name }) => name === match);
  if (hook !== undefined) return hook;
  throw new TenterhookError(
    "unknown_hook",
    `There is no hook ${JSON.stringify(wanted)} here.${didYouMean(wanted, names)}`,
    { hint: "tenterhook list shows all hooks of this folder." },
  );
}
