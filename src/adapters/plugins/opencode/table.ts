import type { AgentEvent, AgentTable } from "../../codec/agent-table.ts";
import { type PluginForm, pluginTable } from "../plugin-table.ts";

/** The events of opencode for which our plug-in asks, by opencode's names. */
const EVENTS: Readonly<Record<string, AgentEvent<PluginForm>>> = {
  "session.created": { event: "SessionStart", says: { context: "context" } },
  dispose: { event: "SessionEnd", says: {} },
  "chat.message": {
    event: "UserPromptSubmit",
    says: { deny: "deny", rewrite: "prompt", context: "context" },
  },
  "tool.execute.before": {
    event: "PreToolUse",
    says: { deny: "deny", rewrite: "input", context: "context" },
  },
  // Headless it refuses by itself before a hook can answer.
  "permission.asked": {
    event: "PermissionRequest",
    says: { allow: "allow", deny: "deny" },
    documented: true,
  },
  // It does not fire for a call that fails.
  "tool.execute.after": {
    event: "PostToolUse",
    says: { deny: "deny", rewrite: "output", context: "context" },
  },
  "experimental.session.compacting": {
    event: "PreCompact",
    says: { context: "context" },
    context_for: "compaction",
    documented: true,
  },
  "session.idle": { event: "Stop", says: { keep_going: "keep_going" } },
  "session.idle.subagent": { event: "SubagentStop", says: { keep_going: "keep_going" } },
};

/** opencode and its forks have the same events; `events` is what a fork does otherwise. */
export function forkTable({
  events = {},
  ...given
}: Pick<AgentTable, "name" | "title" | "evidence"> & {
  readonly events?: AgentTable<PluginForm>["events"];
}): AgentTable<PluginForm> {
  return pluginTable({
    ...given,
    asks: {
      question: "terminal",
      permission: { event: "PermissionRequest", dialog: "shown", documented: true },
    },
    events: { ...EVENTS, ...events },
  });
}

export const TOOL_EVENTS: ReadonlySet<string> = new Set(["tool.execute.before", "tool.execute.after"]);
