import { isAbsolute, join } from "node:path";
import { isRecord, sameJson } from "../../core/base/json.ts";
import { textOf } from "../../core/base/text.ts";
import type { Decision } from "../../core/decide/decision.ts";
import type { AnyEvent } from "../../core/events/payloads.ts";
import type { Adapter, EncodedEvent, Loss, NativePayload, NativeReply } from "../adapter.ts";
import type { AgentTable, Draft } from "../codec/agent-table.ts";
import { mcpParts } from "../codec/payload-of.ts";
import { contextText, unseenMessages, withMessages } from "../codec/reply-forms.ts";
import { tableCodec } from "../codec/table-codec.ts";
import { CURSOR_EVENTS, CURSOR_FORMS, type CursorForm, parsedObject } from "./events.ts";

export const cursorTable: AgentTable<CursorForm> = {
  name: "cursor",
  title: "Cursor",
  evidence: { version: "@cursor/sdk 1.0.32", date: "2026-11-16" },
  asks: { question: "terminal" },
  events: CURSOR_EVENTS,
  unknown: { deny: "exit_2" },
  forms: CURSOR_FORMS,
  complete: (payload) => {
    const { generation_id, transcript_path } = payload;
    return {
      session_id:
        textOf(payload.session_id) ?? textOf(payload.conversation_id) ?? textOf(generation_id) ?? "",
      cwd: folderOf(payload),
      ...(typeof generation_id === "string" ? { turn_id: generation_id } : {}),
      transcript_path: textOf(transcript_path),
    };
  },
  unfit: (_effect, form, decision, event) => UNFIT[form]?.(decision, event) ?? false,
  tools: {
    Bash: ["Shell"],
    // It has no other tool to change a file.
    Edit: ["Write"],
    LS: ["List"],
    WebFetch: ["Fetch", "WebFetch"],
    AskUserQuestion: ["AskQuestion"],
  },
  tells,
  write,
};

/** The folder of a call may be empty or relative; hooks of the user are started in another one. */
function folderOf({ cwd, workspace_roots }: NativePayload): string {
  const root = Array.isArray(workspace_roots) ? textOf(workspace_roots[0]) : undefined;
  const folder = textOf(cwd);
  if (folder === undefined || isAbsolute(folder)) return folder ?? root ?? "";
  return root === undefined ? folder : join(root, folder);
}

/** An edit is a `Write` of the new text: Cursor has no other tool to change a file. */
function tells(
  { tool_name, tool_output, tool_input, stop_hook_active, ...fields }: NativePayload,
  { cwd, session_id, turn_id = session_id, continuations, hook_event_name, ...event }: AnyEvent,
): NativePayload {
  const mcp = mcpParts(tool_name);
  const { new_string, content = new_string } = isRecord(tool_input) ? tool_input : {};
  const isStop = /Stop$/.test(hook_event_name);
  return {
    conversation_id: session_id,
    generation_id: turn_id,
    model: "unknown",
    cursor_version: "",
    workspace_roots: [cwd],
    user_email: null,
    transcript_path: null,
    ...(hook_event_name === "UserPromptSubmit" ? { attachments: [] } : {}),
    ...(isStop ? { status: "completed", loop_count: continuations ?? (stop_hook_active ? 1 : 0) } : {}),
    ...(hook_event_name.startsWith("Subagent")
      ? { subagent_id: event.agent_id, subagent_type: event.agent_type }
      : {}),
    ...fields,
    tool_name: mcp === undefined ? tool_name : `MCP:${mcp.tool}`,
    tool_input: isRecord(tool_input) && tool_name === "Write" ? { ...tool_input, content } : tool_input,
    tool_output: tool_output === undefined ? undefined : JSON.stringify(tool_output),
  };
}

const MOST_CONTEXT = 10_000;
const TOO_LONG = `Cursor drops a context of more than ${MOST_CONTEXT} characters.`;
const NOT_THIS_FIELD = "Cursor does not take a rewrite of these fields of the tool.";
const SEEN_BEFORE = "Cursor takes no rewrite of a call of an MCP server after preToolUse.";

/** Why reply forms that do not fit every decision do not fit this one. */
const UNFIT: Partial<Record<CursorForm, (decision: Decision, event: EncodedEvent) => string | boolean>> = {
  additional_context: (decision) => contextText(decision).length > MOST_CONTEXT && TOO_LONG,
  updated_input: ({ input }, { native }) => {
    if (input === undefined || !isRecord(native)) return false;
    return !rewritesTool(native.tool_name, native.tool_input, input) && NOT_THIS_FIELD;
  },
  unchanged_input: ({ input }, { native }) => {
    if (input === undefined || !isRecord(native)) return false;
    return !sameJson(input, parsedObject(native.tool_input) ?? native.tool_input) && SEEN_BEFORE;
  },
  // After an error or an interruption it goes on with nothing.
  followup: (_, { native }) => isRecord(native) && (native.status ?? "completed") !== "completed",
};

const UNSEEN = unseenMessages("Cursor shows the user no message here.");

function write(draft: Draft, native: string, losses: readonly Loss[]): NativeReply {
  const { top, stderr, exit_code, messages } = draft;
  if (exit_code !== 0) return { stdout: "", stderr: withMessages(stderr, messages), exit_code, losses };
  const { user_message } = top;
  const isRefused = losses.some(({ effect }) => effect === "deny" || effect === "abort");
  if (typeof user_message === "string") top.user_message = withMessages(user_message, messages);
  else if (native === "beforeSubmitPrompt" && isRefused)
    // Only the editor honours it, but a refusal is never withheld.
    Object.assign(top, { continue: false, user_message: messages.join("\n") });
  else if (native === "preCompact" && messages.length > 0) top.user_message = messages.join("\n");
  const unseen = messages.length > 0 && top.user_message === undefined ? [UNSEEN] : [];
  // A gate with failClosed refuses when there is no output at all.
  return {
    stdout: JSON.stringify(top),
    stderr: messages.join("\n"),
    exit_code: 0,
    losses: [...losses, ...unseen],
  };
}

/** The fields of each tool that Cursor takes from a rewrite; it ignores every other one, and says nothing. */
const TAKEN: ReadonlyMap<string, readonly string[]> = new Map([
  ["Shell", ["command", "cwd", "timeout"]],
  ["Read", ["file_path"]],
  // Not the content: the file would be written as the model wanted it.
  ["Write", ["file_path"]],
  ["Delete", ["file_path"]],
  ["List", ["file_path"]],
  ["ReadLints", ["file_path"]],
  ["Grep", ["pattern", "file_path"]],
  ["Fetch", ["url"]],
  ["ListMcpResources", ["server"]],
  ["FetchMcpResource", ["server", "uri", "download_path"]],
]);

/**
 * True when the call has the new input after Cursor has merged it over the old one: only the listed fields, and none
 * taken away. Other tools are run elsewhere, and nobody knows what they take.
 */
function rewritesTool(tool: unknown, before: unknown, after: unknown): boolean {
  if (typeof tool !== "string" || !isRecord(before) || !isRecord(after)) return false;
  if (Object.keys(before).some((key) => !Object.hasOwn(after, key))) return false;
  const changed = Object.keys(after).filter((key) => !sameJson(after[key], before[key]));
  if (tool.startsWith("MCP:")) return true;
  const taken = TAKEN.get(tool) ?? [];
  return changed.every((key) => {
    const value = after[key];
    const isFit = key === "timeout" ? typeof value === "number" && value >= 0 : typeof value === "string";
    return taken.includes(key) && isFit;
  });
}

export const cursor: Adapter = Object.assign(tableCodec(cursorTable), {
  projectVariable: "CURSOR_PROJECT_DIR",
  otherVariables: ["CURSOR_AGENT", "CURSOR_VERSION", "CURSOR_USER_EMAIL", "CURSOR_TRANSCRIPT_PATH"],
});
