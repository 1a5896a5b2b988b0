import { checkKeys } from "../../core/base/check-options.ts";
import { type OutcomeOfType, rewrite } from "../../core/events/outcomes.ts";
import type { HookEvent } from "../../core/events/payloads.ts";
import { createRedactor } from "../../node/records/redact.ts";

/** Where the secrets of {@link redactResults} come from. */
export interface RedactOptions {
  /** Variables whose values are secret if their names say so. Default: those of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

const WITHHELD = "[redacted: this result can't be searched for secrets]";

/**
 * A hook for both events after a tool call that replaces secrets in results and errors by `[redacted]`: values of secret
 * variables, known kinds of keys, and values with a name such as `password`. A result that can't be searched is withheld.
 *
 * It sees what hooks see, the `data` of a result where a tool gives one; the model then reads the redacted data. Hooks that
 * run earlier see the secrets.
 *
 * @throws TenterhookError `unknown_option`.
 * @example hooks.on(["PostToolUse", "PostToolUseFailure"], { priority: 1 }, redactResults())
 */
export function redactResults(
  options: RedactOptions = {},
): (event: HookEvent<"PostToolUse" | "PostToolUseFailure">) => OutcomeOfType<"rewrite"> | undefined {
  checkKeys(options, ["environment"], "redactResults");
  const redactor = createRedactor(options.environment);
  return (event) => {
    redactor.lookAgain(Date.now());
    const found = event.hook_event_name === "PostToolUse" ? event.tool_response : event.error;
    try {
      const clean = redactor.value(found);
      return clean === found ? undefined : rewrite(clean);
    } catch {
      // The patterns run out of stack on values of millions of characters.
      return rewrite(WITHHELD);
    }
  };
}
