import type { RuleEvent } from "../../rules/fields/judged-event.ts";
import { readShell, toolOf } from "../../rules/fields/shell-text.ts";

const BRANCH = String.raw`(?:-|[A-Za-z0-9][\w./-]*)`;
const WAY_BACK = new RegExp(
  `^git (?:switch(?: -q| --quiet)? ${BRANCH}|checkout(?: -q| --quiet)? -)(?: 2>&1)?$`,
);

/**
 * True for a call that only goes to another branch, where the configuration may be the one that was trusted. What refuses because
 * it is not lets it pass; hooks in force judge it like any other. It is for the agent's own folder: another one may
 * be a repository whose configuration names a program.
 */
export function leadsBack(event: RuleEvent): boolean {
  if (toolOf(event) !== "Bash") return false;
  const { texts, unreadable } = readShell(event);
  const [text = ""] = texts;
  return !unreadable && texts.length === 1 && text.length < 500 && WAY_BACK.test(text.trim());
}
