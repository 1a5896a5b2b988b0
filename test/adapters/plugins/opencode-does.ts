import type { PluginDoes } from "./understands.ts";

/** What the plug-in does in opencode and its forks. */
export const OPENCODE_DOES: PluginDoes = {
  "session.created": { context: "context" },
  dispose: {},
  "chat.message": { deny: "deny", prompt: "rewrite", context: "context" },
  "tool.execute.before": { deny: "deny", input: "rewrite", context: "context" },
  "permission.asked": { allow: "allow", deny: "deny" },
  "tool.execute.after": { deny: "deny", output: "rewrite", context: "context" },
  "experimental.session.compacting": { context: "context" },
  "session.idle": { keep_going: "keep_going" },
  "session.idle.subagent": { keep_going: "keep_going" },
};
