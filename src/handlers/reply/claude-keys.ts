import { KINDS, oneOf, type ReplyKey, type ReplyKeys } from "./reply-keys.ts";

const { text, flag, object, list, anything } = KINDS;
const on = (kind: ReplyKey, ...events: readonly string[]): ReplyKey => ({ ...kind, on: events });

/** Claude Code's reply: the keys every event has. */
export const TOP_KEYS: ReplyKeys = {
  continue: flag,
  stopReason: text,
  suppressOutput: flag,
  systemMessage: text,
  decision: oneOf("approve", "block"),
  reason: text,
  hookSpecificOutput: object,
  terminalSequence: text,
};

const ELICITATIONS = ["claude:Elicitation", "claude:ElicitationResult"];

/** Claude Code's reply: the keys of hookSpecificOutput, with the events Claude Code reads them on. */
export const SPECIFIC_KEYS: ReplyKeys = {
  hookEventName: text,
  permissionDecision: on(oneOf("allow", "deny", "ask", "defer"), "PreToolUse", "ModelSwitch"),
  permissionDecisionReason: on(text, "PreToolUse", "ModelSwitch"),
  updatedInput: on(object, "PreToolUse"),
  decision: on(object, "PermissionRequest"),
  updatedToolOutput: on(anything, "PostToolUse"),
  updatedMCPToolOutput: on(anything, "PostToolUse"),
  action: on(oneOf("accept", "decline", "cancel"), ...ELICITATIONS),
  content: on(object, ...ELICITATIONS),
  displayContent: on(text, "claude:MessageDisplay"),
  worktreePath: on(text, "claude:WorktreeCreate"),
  additionalContext: text,
  classifierContext: on(text, "PostToolUse"),
  initialUserMessage: on(text, "SessionStart"),
  sessionTitle: on(text, "SessionStart", "UserPromptSubmit"),
  watchPaths: on(list, "SessionStart", "claude:CwdChanged", "claude:FileChanged"),
  reloadSkills: on(flag, "SessionStart"),
  suppressOriginalPrompt: on(flag, "UserPromptSubmit", "claude:UserPromptExpansion"),
  retry: on(flag, "PermissionDenied"),
};

/** Claude Code's reply: the keys of a decision about a permission, by its behaviour. */
export const PERMISSION_KEYS: Readonly<Record<"allow" | "deny", ReplyKeys>> = {
  allow: { behavior: text, updatedInput: object, updatedPermissions: list },
  deny: { behavior: text, message: text, interrupt: flag },
};

export const NOT_AT_THE_TOP: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.keys(SPECIFIC_KEYS).map((key) => [key, "it belongs in hookSpecificOutput"])),
  async: "a hook runs in the background when its definition says async: true",
  asyncTimeout: "the definition of the hook says its timeout",
};

export const NOT_IN_SPECIFIC: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(TOP_KEYS).map((key) => [key, "it belongs at the top of the reply"]),
);
