import { isRecord } from "../../core/base/json.ts";
import type { Decision } from "../../core/decide/decision.ts";
import type { Adapter, EncodedEvent, Loss, NativePayload, NativeReply } from "../adapter.ts";
import { type AgentTable, type Draft, rowOf, subagentFields } from "../codec/agent-table.ts";
import { resultText } from "../codec/payload-of.ts";
import { lastTextsIn } from "../codec/read-usage.ts";
import { jsonReply, unseenMessages, withMessages } from "../codec/reply-forms.ts";
import { tableCodec } from "../codec/table-codec.ts";
import { addPassedOn, CLAUDE_EVENTS, REPLY_FORMS, type ReplyFormName } from "./events.ts";
import { fittedOutput } from "./fit-output.ts";
import { MONITOR } from "./monitor-tool.ts";
import { claudeUsage, textOf, turnInTranscript } from "./transcript.ts";

/** Its dialog stays on the screen while a hook on PermissionRequest waits. */
const IN_DIALOG = { event: "PermissionRequest", dialog: "shown" } as const;

/** A command of Monitor is one of the shell. */
function commandOf({ tool_name, tool_input }: NativePayload): NativePayload {
  return tool_name === MONITOR && isRecord(tool_input) && tool_input.command !== undefined
    ? { tool_name: "Bash" }
    : {};
}

export const claudeTable: AgentTable<ReplyFormName> = {
  name: "claude",
  title: "Claude Code",
  evidence: { version: "2.1.327", date: "2026-11-19" },
  asks: { question: IN_DIALOG, plan_approval: IN_DIALOG, permission: IN_DIALOG },
  events: CLAUDE_EVENTS,
  unknown: { deny: "exit_2" },
  forms: REPLY_FORMS,
  complete: (payload) => ({ ...subagentFields(payload), ...commandOf(payload) }),
  unfit: (effect, form, decision, event) => {
    if (effect === "ask" && runsUnasked(event.native)) return UNASKED;
    const fits = FITS[form]?.(decision, event) ?? true;
    return fits ? false : form === "updated_output" ? UNFIT : true;
  },
  tools: { Bash: ["Bash", "PowerShell", MONITOR], Edit: ["Edit", "MultiEdit"], Task: ["Agent", "Task"] },
  tells: ({ tool_response, ...fields }, { hook_event_name }) => ({
    transcript_path: "",
    permission_mode: "default",
    ...(/Stop$/.test(hook_event_name) ? { stop_hook_active: false } : {}),
    ...fields,
    tool_response:
      fields.tool_name === "Bash" && tool_response !== undefined
        ? { stdout: resultText(tool_response), stderr: "", interrupted: false, isImage: false }
        : tool_response,
  }),
  passOn: addPassedOn,
  write: (draft, native, losses) => {
    const { says } = rowOf(claudeTable, native);
    if (says.answer === "path") return writtenPlain(draft, losses, 2);
    // A compaction takes all that is printed for instructions, a message to the user included.
    if (says.context === "plain_text" && draft.top.decision === undefined)
      return writtenPlain(draft, losses, 1);
    return written(draft, native, losses);
  },
};

function written(draft: Draft, native: string, losses: readonly Loss[]): NativeReply {
  const { top, stderr, exit_code, messages } = draft;
  // With exit code 2 only stderr is read. Ending the run is stronger and needs the JSON.
  if (exit_code !== 0 && top.continue !== false)
    return { stdout: "", stderr: withMessages(stderr, messages), exit_code, losses };
  return jsonReply(draft, native, losses);
}

/** Where all of stdout is the answer, everything else goes to stderr, which the user reads when the call fails. */
function writtenPlain(
  { messages, text, stderr }: Draft,
  losses: readonly Loss[],
  failed: number,
): NativeReply {
  if (text === "") {
    const lines = [...(stderr === "" ? [] : [stderr]), ...messages];
    return { stdout: "", stderr: lines.join("\n"), exit_code: lines.length === 0 ? 0 : failed, losses };
  }
  const unseen = unseenMessages(
    "Claude Code shows no message together with an answer that it takes from the output as it is.",
  );
  return {
    stdout: text,
    stderr: messages.join("\n"),
    exit_code: 0,
    losses: messages.length === 0 ? losses : [...losses, unseen],
  };
}

const UNASKED = "In this mode Claude Code may run a call that names a hidden file without asking.";
/** In JSON. Quotes and backslashes inside a name belong to the shell: `.''claude`. */
const HIDDEN_FILE = /(?:^|[^\w.])\.(?:'|\\["\\])*[A-Za-z_$*?[{]/;
/** In these, a call can name a sensitive file without its folder. Claude Code's own worktrees are whole projects. */
const SENSITIVE_FOLDER = /\/\.(?:claude(?!\/worktrees\/)|git|vscode|idea)(?:\/|$)/;

/**
 * True when it would ignore a hook that asks: with bypassPermissions, its own check of sensitive files (`.claude`, `.git`,
 * `.bashrc`) replaces the hook's answer, and is then skipped (seen in the program itself).
 */
function runsUnasked(native: unknown): boolean {
  if (!isRecord(native) || native.permission_mode !== "bypassPermissions") return false;
  const isInside = typeof native.cwd === "string" && SENSITIVE_FOLDER.test(native.cwd);
  return isInside || HIDDEN_FILE.test(JSON.stringify(native.tool_input ?? ""));
}

/** Plain output and a JSON reply exclude each other; the JSON reply is stronger. */
const alone = ({ action, abort }: Decision): boolean => action === "continue" && abort === undefined;

const UNFIT = "Claude Code takes a rewrite of a result only in the shape that the tool gave it.";
const ELICITED: readonly unknown[] = ["accept", "decline", "cancel"];

/** Whether reply forms that do not fit every decision fit this one. */
const FITS: Partial<Record<ReplyFormName, (decision: Decision, event: EncodedEvent) => boolean>> = {
  behavior_input: ({ action }) => action === "allow",
  updated_output: ({ output }, { native }) =>
    output === undefined || fittedOutput(output, native) !== undefined,
  display_content: ({ output }) => output === undefined || typeof output === "string",
  plain_text: alone,
  elicitation: ({ answer }) => isRecord(answer) && ELICITED.includes(answer.action),
  path: ({ action, answer }) => action !== "deny" && typeof answer === "string",
};

export const claude: Adapter = Object.assign(tableCodec(claudeTable), {
  projectVariable: "CLAUDE_PROJECT_DIR",
  sessionVariable: "CLAUDE_CODE_SESSION_ID",
  otherVariables: [
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_CHILD_SESSION",
    "CLAUDE_CODE_SESSION_ATTENDED",
    "CLAUDE_CODE_MESSAGING_SOCKET",
    "CLAUDE_CODE_MESSAGING_TOKEN",
    "CLAUDE_EFFORT",
    "CLAUDE_ENV_FILE",
    "CLAUDE_PID",
    "CLAUDE_PLUGIN_DATA",
    "CLAUDE_PLUGIN_ROOT",
    "AI_AGENT",
  ],
  approvesWithInput: true as const,
  lastTexts: ({ transcript_path }: NativePayload) => lastTextsIn(transcript_path, textOf),
  turn: turnInTranscript,
  usage: async (payload: NativePayload) => claudeUsage(payload),
});
