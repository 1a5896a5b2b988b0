import { isRecord } from "../../core/base/json.ts";
import { textOf } from "../../core/base/text.ts";
import { rowOf } from "../codec/agent-table.ts";
import { GEMINI_SAMPLES, refusedOn, replyIn, samplesFrom, textRead, understood } from "../import/compare.ts";
import type { ComparedHooks, HookReply, OriginalHook, UnderstoodReply } from "../integration.ts";
import { isMatched } from "./import.ts";
import { qwenTable, TOOL_EVENTS } from "./qwen.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The events on which plain output is context. */
const PLAIN = ["SessionStart", "UserPromptSubmit"];

export const qwenCompared: ComparedHooks = {
  samples: samplesFrom({
    ...GEMINI_SAMPLES,
    base: (event, cwd) => ({ ...GEMINI_SAMPLES.base(event, cwd), permission_mode: "default" }),
    ofCall: (event, at) => ({
      tool_use_id: `toolu_${at}`,
      ...(event === "PostToolUse" ? { tool_response: "done" } : {}),
      ...(event === "PostToolUseFailure" ? { error: "It failed." } : {}),
    }),
    toolEvents: TOOL_EVENTS,
    others: {
      SessionStart: [{ source: "startup" }, { source: "resume" }],
      SessionEnd: [{ reason: "other" }],
      UserPromptSubmit: [{ prompt: "Fix the tests.", submitted_prompt: "Fix the tests." }],
      PostToolBatch: [{ tool_calls: [] }],
      Stop: [{ stop_hook_active: false, last_assistant_message: "Done." }],
      SubagentStart: [{ agent_id: "a1", agent_type: "worker" }],
      SubagentStop: [{ agent_id: "a1", agent_type: "worker", stop_hook_active: false }],
      PreCompact: [{ trigger: "auto" }],
      PostCompact: [{ trigger: "auto", compact_summary: "Short." }],
      Notification: [{ notification_type: "permission_prompt", message: "May it?" }],
    },
  }),
  runs: ({ event, matcher }, payload) => isMatched(event, matcher, payload),
  understood: understoodReply,
  variables: (root) => ({ QWEN_PROJECT_DIR: root, GEMINI_PROJECT_DIR: root, CLAUDE_PROJECT_DIR: root }),
};

function understoodReply({ event }: OriginalHook, given: HookReply): UnderstoodReply {
  const { exit_code, stdout, stderr } = given;
  if (exit_code === null) return {};
  if (exit_code === 2) return stderr.trim() === "" ? {} : refused(event, stderr.trim());
  const reply = replyIn(textRead(given));
  if (reply === undefined) {
    const text = stdout.trim();
    return exit_code === 0 && text !== "" && !text.startsWith("{") && PLAIN.includes(event)
      ? { context: text }
      : {};
  }
  return { ...verdictOf(event, reply.top, reply.specific), ...effectsOf(event, reply.top, reply.specific) };
}

/** After a call only `continue: false` refuses. */
function refused(event: string, reason: string): UnderstoodReply {
  return event === "PostToolUse" ? {} : refusedOn(qwenTable, event, reason);
}

function verdictOf(event: string, top: Fields, specific: Fields): UnderstoodReply {
  const isCall = event === "PreToolUse" || event === "PostToolUse";
  if (isCall && top.continue === false) return { verdict: "deny", reason: textOf(top.stopReason) ?? "" };
  const decision = event === "PermissionRequest" && isRecord(specific.decision) ? specific.decision : {};
  const verdict = event === "PreToolUse" ? specific.permissionDecision : decision.behavior;
  const reason = textOf(specific.permissionDecisionReason) ?? textOf(decision.message);
  if (verdict === "deny" || verdict === "ask") return understood({ verdict, reason });
  if (top.decision === "deny" || top.decision === "block") return refused(event, textOf(top.reason) ?? "");
  if (verdict !== "allow" || event !== "PermissionRequest") return {};
  const input = isRecord(decision.updatedInput) ? JSON.stringify(decision.updatedInput) : undefined;
  return understood({ verdict, input });
}

function effectsOf(event: string, top: Fields, specific: Fields): UnderstoodReply {
  const { says } = rowOf(qwenTable, event);
  return understood({
    context: says.context === undefined ? undefined : textOf(specific.additionalContext),
    ends: top.continue === false && says.abort !== undefined ? "yes" : undefined,
    message: textOf(top.systemMessage),
  });
}
