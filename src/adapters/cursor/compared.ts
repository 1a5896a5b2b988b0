import { isRecord } from "../../core/base/json.ts";
import { textOf } from "../../core/base/text.ts";
import { linearRegex } from "../../node/regex.ts";
import { isGate, rowOf } from "../codec/agent-table.ts";
import { refusedOn, replyIn, samplesFrom, TRIED_LINES, understood } from "../import/compare.ts";
import { selectionOf } from "../import/matcher.ts";
import type { ComparedHooks, HookReply, OriginalHook, UnderstoodReply } from "../integration.ts";
import { cursorTable } from "./cursor.ts";
import { TOOL_EVENTS } from "./events.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What a matcher compares on events that are not about tools; on all others it is not known. */
const COMPARED: ReadonlyMap<string, string> = new Map([
  ["beforeShellExecution", "command"],
  ["afterShellExecution", "command"],
]);

export const cursorCompared: ComparedHooks = {
  samples: samplesFrom({
    base: (event, cwd) => ({
      conversation_id: "check",
      generation_id: "check",
      model: "unknown",
      session_id: "check",
      hook_event_name: event,
      cursor_version: "1.0.0",
      workspace_roots: [cwd],
      user_email: null,
      transcript_path: null,
    }),
    calls: [
      ...TRIED_LINES.map((command) => ({
        tool_name: "Shell",
        tool_input: { command, cwd: "", timeout: 20_000 },
      })),
      { tool_name: "Write", tool_input: { file_path: ".env", content: "KEY=1" } },
      { tool_name: "Read", tool_input: { file_path: "README.md" } },
    ],
    ofCall: (event, at) => ({
      tool_use_id: `call_${at}`,
      cwd: "",
      ...(event === "postToolUse" ? { tool_output: "{}", duration: 1 } : {}),
      ...(event === "postToolUseFailure" ? { error_message: "It failed." } : {}),
    }),
    toolEvents: TOOL_EVENTS,
    others: {
      sessionStart: [{ is_background_agent: false }],
      beforeSubmitPrompt: [{ prompt: "Fix the tests.", attachments: [] }],
      beforeShellExecution: TRIED_LINES.map((command) => ({ command, cwd: "", sandbox: false })),
      beforeMCPExecution: [{ tool_name: "say", tool_input: "{}", mcp_server_name: "voice" }],
      beforeReadFile: [{ file_path: ".env", content: "KEY=1", attachments: [] }],
      stop: [{ status: "completed", loop_count: 0 }],
    },
  }),
  runs: ({ event, matcher }, payload) => isMatched(event, matcher, payload),
  understood: understoodReply,
  variables: (root) => ({ CURSOR_PROJECT_DIR: root, CURSOR_VERSION: "1.0.0", CLAUDE_PROJECT_DIR: root }),
};

function isMatched(event: string, matcher: unknown, payload: Fields): boolean {
  const value = payload[TOOL_EVENTS.has(event) ? "tool_name" : (COMPARED.get(event) ?? "")];
  const selection = selectionOf(matcher);
  if (selection === undefined || typeof value !== "string") return true;
  return linearRegex(selection, false)(value);
}

function understoodReply({ event, handler }: OriginalHook, reply: HookReply): UnderstoodReply {
  const { stdout, stderr, exit_code } = reply;
  const row = rowOf(cursorTable, event);
  const text = stdout.trim();
  const failed = handler.failClosed === true ? refusedOn(cursorTable, event, "") : {};
  if (exit_code === 2) return row.says.keep_going ? {} : refusedOn(cursorTable, event, text || stderr.trim());
  if (exit_code !== 0) return failed;
  if (text === "") return failed;
  const found = replyIn(text);
  if (found === undefined) return isGate(row) ? refusedOn(cursorTable, event, "") : {};
  const { top } = found;
  const { permission, updated_input } = top;
  return {
    ...(permission === "deny" ? refusedOn(cursorTable, event, textOf(top.user_message) ?? "") : {}),
    ...understood({
      input: row.says.rewrite && isRecord(updated_input) ? JSON.stringify(updated_input) : undefined,
      context: row.says.context && textOf(top.additional_context),
      ends: row.says.abort && top.continue === false ? "yes" : undefined,
    }),
    ...(row.says.keep_going && textOf(top.followup_message) !== undefined
      ? { verdict: "keeps going", reason: String(top.followup_message) }
      : {}),
  };
}
