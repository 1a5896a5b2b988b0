import { isRecord } from "../../core/base/json.ts";
import type { Loss, NativeReply } from "../adapter.ts";
import type { AgentTable, Draft } from "../codec/agent-table.ts";
import { unseenMessages } from "../codec/reply-forms.ts";
import { CODEX_EVENTS, UNKNOWN_EVENT } from "./events.ts";
import { CODEX_FORMS, type CodexFormName } from "./reply-forms.ts";

/** Everything about Codex's payloads and replies. */
export const codexTable: AgentTable<CodexFormName> = {
  name: "codex",
  title: "Codex",
  evidence: { version: "0.166.0", date: "2026-11-16" },
  events: CODEX_EVENTS,
  unknown: UNKNOWN_EVENT,
  forms: CODEX_FORMS,
  complete: (native, { session_id, agent_id, model }) => ({
    // The session of a subagent's hooks is that of its parent.
    ...(typeof agent_id === "string" && typeof session_id === "string"
      ? { parent_agent_id: session_id }
      : {}),
    ...(native === "PreModelRequest" ? { request: { model } } : {}),
  }),
  unfit: (effect, form, { input }, { native }) => {
    if (form === "allow")
      return input !== undefined || runsUnasked(native)
        ? false
        : "Codex does not take an allow on PreToolUse: it asks as it would without one. Hooks on PermissionRequest can allow.";
    return effect === "native";
  },
  write: (draft, native, losses) =>
    IGNORED.has(native) ? unheard(draft, losses) : written(draft, native, losses),
};

/** True when Codex asks nobody, so that an allow has nothing to skip. */
function runsUnasked(native: unknown): boolean {
  return isRecord(native) && native.permission_mode === "bypassPermissions";
}

/** The events of which Codex reads no reply at all. */
const IGNORED: ReadonlySet<string> = new Set(["SessionEnd", "PreModelRequest"]);

function unheard({ messages }: Draft, losses: readonly Loss[]): NativeReply {
  if (messages.length === 0) return { stdout: "", stderr: "", exit_code: 0, losses };
  const unseen = unseenMessages("Codex shows no message of hooks on this event.");
  return { stdout: "", stderr: messages.join("\n"), exit_code: 0, losses: [...losses, unseen] };
}

function written(
  { top, specific, stderr, exit_code, messages }: Draft,
  native: string,
  losses: readonly Loss[],
): NativeReply {
  if (exit_code !== 0) return { stdout: "", stderr: [stderr, ...messages].join("\n"), exit_code, losses };
  if (messages.length > 0) top.systemMessage = messages.join("\n");
  if (Object.keys(specific).length > 0) top.hookSpecificOutput = { hookEventName: native, ...specific };
  return {
    stdout: Object.keys(top).length > 0 ? JSON.stringify(top) : "",
    stderr: "",
    exit_code: 0,
    losses,
  };
}
