import { usageError } from "../../../command-line/usage-error.ts";

/**
 * Checks an agent's id, which becomes part of commands and file names.
 *
 * @throws TenterhookError `usage_error`.
 */
export function agentId(given: string): string {
  if (/^[A-Za-z0-9][\w.-]{0,99}$/.test(given)) return given;
  if (given === "")
    throw usageError("Which agent?", "Give its id; where --agent takes it, TENTERHOOK_AGENT_ID does too.");
  throw usageError(
    `${JSON.stringify(given)} is not an agent id.`,
    "An id has letters, digits, dots, dashes and underscores, at most 100.",
  );
}
