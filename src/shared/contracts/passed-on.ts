/**
 * Keys of a reply in Claude Code's form that no other agent understands. Those who read replies hand them on as the
 * `native` part of a decision, and the adapter of Claude Code writes them. No key that decides anything belongs here.
 */
export const PASSED_ON: ReadonlySet<string> = new Set([
  "terminalSequence",
  "classifierContext",
  "initialUserMessage",
  "sessionTitle",
  "watchPaths",
  "reloadSkills",
  "suppressOriginalPrompt",
  "retry",
  "updatedPermissions",
]);
