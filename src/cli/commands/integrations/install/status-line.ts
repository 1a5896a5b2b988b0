import type { Integration } from "../../../../adapters/integration.ts";
import { flagOption, type Invocation } from "../../../command-line/command.ts";
import { usageError } from "../../../command-line/usage-error.ts";

/**
 * A status line is one person's own, and the agent shows one: that of the project would replace the user's.
 *
 * @throws TenterhookError `usage_error`.
 */
export function checkStatusLine(integrations: readonly Integration[], invocation: Invocation): void {
  if (!flagOption(invocation, "statusLine")) return;
  const other = integrations.find(({ statusLine }) => statusLine === undefined);
  if (other !== undefined)
    throw usageError(
      `${other.table.title} has no status line that Tenterhook can read.`,
      "Claude Code has one: tenterhook install claude --user --status-line.",
    );
  if (!flagOption(invocation, "user"))
    throw usageError(
      "A status line is your own, and no part of the project's settings.",
      "Add --user: tenterhook install claude --user --status-line.",
    );
}
