import { isRecord, listOf } from "../../core/base/json.ts";
import { textOf } from "../../core/base/text.ts";
import type { Decision } from "../../core/decide/decision.ts";
import type { NativePayload } from "../adapter.ts";
import type { AgentEvent, Draft, ReplyForm } from "../codec/agent-table.ts";
import { contextText } from "../codec/reply-forms.ts";
import { laterHook } from "./later-hook.ts";
import { callOf, nativeInput, rejectsNull } from "./tools.ts";

/** Cline cuts longer texts for the model. */
const MOST_CONTEXT = 50_000;
/** An argument of a program can't be much longer. */
const MOST_REASON = 20_000;

/** The ways to pass something on to Cline. It reads JSON alone, whatever the exit code. */
export const REPLY_FORMS = {
  /**
   * It has no word for a refusal that the model reads. So it gets an input with which the tool does nothing: a command
   * that only prints the reason, or `null`.
   */
  refuse: (draft, decision, payload, environment) => {
    const why = reasonOf(decision);
    const { tool, root } = calledIn(payload);
    const later = laterHook(root, environment);
    if (later !== undefined || !rejectsNull(tool)) {
      draft.messages.push(later === undefined ? ONLY_BY_ENDING : behindOurs(later));
      endRun(draft, why);
    } else if (tool === "run_commands") draft.top.overrideInput = { commands: [printing(why)] };
    else Object.assign(draft.top, { overrideInput: null, contextModification: why });
  },
  /** After a call: the model reads it behind the result. */
  feedback: (draft, decision) => addContext(draft, reasonOf(decision)),
  override_input: ({ top }, { action, input }, payload) => {
    // The input of a refused call is the refusal.
    if (action !== "deny" && input !== undefined)
      top.overrideInput = nativeInput(calledIn(payload).tool, input);
  },
  /** The model reads it behind the result. A refusal has it with its reason. */
  context: (draft, decision) => {
    if (decision.action !== "deny") addContext(draft, contextText(decision));
  },
  /** It ends the run without a word: nobody reads the reason but in the journal. */
  cancel: (draft, { abort, reason }) => endRun(draft, abort?.reason ?? reason ?? "Stopped by a hook."),
} as const satisfies Record<string, ReplyForm>;

export type ReplyFormName = keyof typeof REPLY_FORMS;

const ONLY_BY_ENDING = "Cline can refuse this tool only by ending the run.";

/** Why a rewrite, or a refusal as an input, would not hold. */
export function behindOurs(file: string): string {
  return `Cline runs ${file} after our hook and takes the input from there.`;
}

/** The tool that a payload is about, by Cline's name, and the folder of its workspace. */
export function calledIn(payload: unknown, folder = "/"): { readonly tool: unknown; readonly root: string } {
  const { tool_call, workspaceRoots } = isRecord(payload) ? payload : {};
  const [root] = listOf(workspaceRoots);
  return {
    tool: isRecord(tool_call) ? tool_call.name : undefined,
    root: typeof root === "string" && root !== "" ? root : folder,
  };
}

function reasonOf(decision: Decision): string {
  const parts = [decision.reason ?? "Denied by a hook.", contextText(decision)];
  return parts.filter((part) => part !== "").join("\n\n");
}

function addContext(draft: Draft, text: string): void {
  draft.top.contextModification = text;
  if (text.length > MOST_CONTEXT)
    draft.messages.push(`Cline cuts what the model reads after ${MOST_CONTEXT} characters.`);
}

function endRun({ top }: Draft, why: string): void {
  top.cancel = true;
  top.errorMessage = why;
}

/** A program that prints a text and fails. It is started without a shell, so that nothing in the text is run. */
function printing(text: string): object {
  const shown = text.replaceAll("\0", "").slice(0, MOST_REASON);
  return { command: "sh", args: ["-c", 'printf "%s\\n" "$1" >&2; exit 126', "tenterhook", shown] };
}

type ClineEvent = AgentEvent<ReplyFormName>;

/**
 * The events of Cline CLI 3.0.65 by the names of their files; behind a dot, what tells apart the two that share a file. It
 * waits for a reply only before and after a call, and was never seen to run UserPromptSubmit and PreCompact.
 */
export const CLINE_EVENTS: Readonly<Record<string, ClineEvent>> = {
  TaskStart: { event: "SessionStart", adds: { source: "startup" }, says: {} },
  "TaskStart.subagent": { event: "SubagentStart", says: {} },
  TaskResume: { event: "SessionStart", adds: { source: "resume" }, says: {}, documented: true },
  PreToolUse: {
    event: "PreToolUse",
    fields: ({ tool_call }) => {
      const { id, name, input } = isRecord(tool_call) ? tool_call : {};
      return typeof name === "string" ? { ...callOf(name, input), tool_use_id: textOf(id) } : {};
    },
    says: { deny: "refuse", rewrite: "override_input", context: "context", abort: "cancel" },
  },
  PostToolUse: {
    event: "PostToolUse",
    fields: ({ tool_result }) => ({ ...ranCall(tool_result), tool_response: resultOf(tool_result) }),
    says: { deny: "feedback", context: "context", abort: "cancel" },
  },
  // A call whose input the tool rejects is refused before, so that no test makes one fail.
  "PostToolUse.error": {
    event: "PostToolUseFailure",
    fields: ({ tool_result }) => ({ ...ranCall(tool_result), error: errorText(resultOf(tool_result)) }),
    says: { context: "context", abort: "cancel" },
    documented: ["context", "abort"],
  },
  TaskComplete: { event: "Stop", fields: ended, says: {} },
  "TaskComplete.subagent": { event: "SubagentStop", fields: ended, says: {} },
  TaskError: {
    event: "Error",
    fields: ({ error }) => {
      const { name, message } = isRecord(error) ? error : { name: undefined, message: error };
      return { error_type: textOf(name) ?? "unknown", error_message: textOf(message) ?? "unknown" };
    },
    says: {},
    documented: true,
  },
  TaskCancel: { says: {}, declares: { effects: [] }, documented: true },
  SessionShutdown: { event: "SessionEnd", says: {}, documented: true },
};

/** The file of an event, by the name that its payload has. */
export const FILES: ReadonlyMap<string, string> = new Map([
  ["agent_start", "TaskStart"],
  ["agent_resume", "TaskResume"],
  ["agent_abort", "TaskCancel"],
  ["agent_end", "TaskComplete"],
  ["agent_error", "TaskError"],
  ["tool_call", "PreToolUse"],
  ["tool_result", "PostToolUse"],
  ["prompt_submit", "UserPromptSubmit"],
  ["session_shutdown", "SessionShutdown"],
]);

type Fields = Readonly<Record<string, unknown>>;

/** A call that has been made, also one whose input the tool rejected. */
function ranCall(result: unknown): Fields {
  const { id, name, input } = isRecord(result) ? result : {};
  if (typeof name !== "string") return {};
  const { tool_name, tool_input = isRecord(input) ? input : { input } } = callOf(name, input);
  return { tool_name, tool_input, tool_use_id: textOf(id) };
}

function resultOf(result: unknown): unknown {
  return isRecord(result) ? result.output : undefined;
}

function errorText(output: unknown): string {
  const error: unknown = isRecord(output) ? (output.error ?? output) : output;
  return typeof error === "string" ? error : (JSON.stringify(error) ?? "unknown");
}

function ended({ turn }: NativePayload): Fields {
  const text = isRecord(turn) ? textOf(turn.outputText) : undefined;
  return { last_assistant_message: text };
}
