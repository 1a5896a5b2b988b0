import { isRecord, listOf } from "../../core/base/json.ts";
import type { Decision } from "../../core/decide/decision.ts";
import type { Draft, ReplyForm } from "../codec/agent-table.ts";
import { contextText } from "../codec/reply-forms.ts";
import { laterHook } from "./later-hook.ts";
import { nativeInput, rejectsNull } from "./tools.ts";

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
  refuse: (draft, decision, payload) => {
    const why = reasonOf(decision);
    const { tool, root } = calledIn(payload);
    const later = laterHook(root);
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
export function calledIn(payload: unknown): { readonly tool: unknown; readonly root: string } {
  const { tool_call, workspaceRoots } = isRecord(payload) ? payload : {};
  const [root] = listOf(workspaceRoots);
  return {
    tool: isRecord(tool_call) ? tool_call.name : undefined,
    root: typeof root === "string" && root !== "" ? root : process.cwd(),
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
