import { checkValue, defaultField, defaultsOf, type Fields, givenFields, schemas } from "../base/schemas.ts";

function limit(standard: number, docs: string) {
  return defaultField(schemas.amount, standard, docs);
}

/** The one table of limits, each with its default. A ceiling of a turn is checked in `session/ceilings.ts`, for all agents. */
export const LIMITS = {
  stop_continuations: limit(8, "How often Stop hooks may keep one turn going."),
  hook_turns: limit(8, "Turns started by hooks since the user's last prompt."),
  turn_seconds: limit(1800, "After this long a turn is no longer continued by hooks."),
  turn_tokens: limit(
    2_000_000,
    "After this many tokens a turn is no longer continued by hooks. Tokens from the provider's cache do not count.",
  ),
  same_stop_reason: limit(
    3,
    "The same Stop reason this often in a row, with no tool call between, is no progress.",
  ),
  error_retries: limit(3, "How often Error hooks may have something tried again in one turn."),
  context_characters: limit(10_000, "The longest context item, in characters; the rest goes to a file."),
  event_context_characters: limit(
    30_000,
    "All context of one event, in characters; what is beyond is cut, with a note whose.",
  ),
} as const satisfies Fields;

/** Limits on what hooks can make an agent do, and on how much they can make it read. */
export type Limits = { readonly [Name in keyof typeof LIMITS]: number };

/** The limits when the caller gives none. */
export const DEFAULT_LIMITS: Limits = defaultsOf(LIMITS);

/**
 * The defaults with the caller's changes.
 *
 * @throws TenterhookError for a limit that does not exist or is not a number of 0 or more.
 */
export function completeLimits(given: Partial<Limits> = {}): Limits {
  checkValue(given, schemas.object(LIMITS), "limits");
  return { ...DEFAULT_LIMITS, ...givenFields(given, LIMITS) };
}
