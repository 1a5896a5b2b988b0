import { isRecord } from "../../core/base/json.ts";
import { textOf } from "../../core/base/text.ts";
import { rowOf } from "../codec/agent-table.ts";
import { GEMINI_SAMPLES, refusedOn, replyIn, samplesFrom, textRead, understood } from "../import/compare.ts";
import type { ComparedHooks, HookReply, OriginalHook, UnderstoodReply } from "../integration.ts";
import { geminiTable, TOOL_EVENTS } from "./gemini.ts";
import { isMatched } from "./import.ts";

export const geminiCompared: ComparedHooks = {
  samples: samplesFrom({
    ...GEMINI_SAMPLES,
    ofCall: (event) => (event === "AfterTool" ? { tool_response: { llmContent: "done" } } : {}),
    toolEvents: TOOL_EVENTS,
    others: {
      SessionStart: [{ source: "startup" }, { source: "resume" }],
      SessionEnd: [{ reason: "exit" }],
      BeforeAgent: [{ prompt: "Fix the tests." }],
      AfterAgent: [{ prompt: "Fix the tests.", prompt_response: "Done.", stop_hook_active: false }],
      PreCompress: [{ trigger: "auto" }],
      Notification: [{ notification_type: "ToolPermission", message: "May it?", details: {} }],
    },
  }),
  runs: ({ event, matcher }, payload) => isMatched(event, matcher, payload),
  understood: understoodReply,
  variables: (root) => ({ GEMINI_PROJECT_DIR: root, GEMINI_CWD: root, CLAUDE_PROJECT_DIR: root }),
};

function understoodReply({ event }: OriginalHook, given: HookReply): UnderstoodReply {
  if (given.exit_code === null) return {};
  const text = textRead(given);
  const reply = replyIn(text);
  if (reply === undefined) {
    if (text === "") return {};
    return given.exit_code > 1 ? refusedOn(geminiTable, event, text) : { message: text };
  }
  const { top, specific } = reply;
  const { says } = rowOf(geminiTable, event);
  const isRefused = top.decision === "deny" || top.decision === "block";
  return {
    ...(isRefused ? refusedOn(geminiTable, event, textOf(top.reason) ?? "") : {}),
    // Nobody is there to be asked.
    ...(top.decision === "ask" && event === "BeforeTool" ? { verdict: "deny" } : {}),
    ...understood({
      input:
        event === "BeforeTool" && isRecord(specific.tool_input)
          ? JSON.stringify(specific.tool_input)
          : undefined,
      context: says.context === undefined ? undefined : textOf(specific.additionalContext),
      ends: top.continue === false && says.abort !== undefined ? "yes" : undefined,
      message: textOf(top.systemMessage),
    }),
  };
}
