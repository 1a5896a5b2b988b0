import { checkKeys } from "../base/check-options.ts";
import { TenterhookError } from "../base/errors.ts";

/** Ceilings on what hooks can make an agent do, and caps on what they can make it read. */
export interface Limits {
  /** How often Stop hooks may keep one turn going. */
  readonly stop_continuations: number;
  /** Turns started by hooks since the user's last prompt. */
  readonly hook_turns: number;
  /** After this long a turn is no longer continued by hooks. */
  readonly turn_seconds: number;
  /** After this many tokens a turn is no longer continued by hooks. */
  readonly turn_tokens: number;
  /** The same Stop reason this often in a row, with no tool call between, is no progress. */
  readonly same_stop_reason: number;
  /** How often Error hooks may have something tried again in one turn. */
  readonly error_retries: number;
  /** The longest context item, in characters; the rest goes to a file. */
  readonly context_characters: number;
}

/** The limits when the caller gives none. */
export const DEFAULT_LIMITS: Limits = {
  stop_continuations: 8,
  hook_turns: 8,
  turn_seconds: 1800,
  turn_tokens: 2_000_000,
  same_stop_reason: 3,
  error_retries: 3,
  context_characters: 10_000,
};

/**
 * The defaults with the caller's changes.
 *
 * @throws TenterhookError for a limit that does not exist or is not a number of 0 or more.
 */
export function completeLimits(given: Partial<Limits> = {}): Limits {
  checkKeys(given, Object.keys(DEFAULT_LIMITS), "limits");
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined && !(typeof value === "number" && value >= 0)) {
      throw new TenterhookError(
        "invalid_option",
        `limits: ${name} is ${JSON.stringify(value)}; it must be a number of 0 or more.`,
      );
    }
  }
  return {
    ...DEFAULT_LIMITS,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  };
}
