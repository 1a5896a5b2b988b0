import { isRecord } from "../../core/base/json.ts";
import { textOf } from "../../core/base/text.ts";
import { rowOf } from "../codec/agent-table.ts";
import { refusedOn, replyIn, samplesFrom, TRIED_LINES, understood } from "../import/compare.ts";
import type { ComparedHooks, HookReply, OriginalHook, UnderstoodReply } from "../integration.ts";
import { codexTable, TOOL_EVENTS } from "./codex.ts";
import { isMatched } from "./import.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Calls of tools: everyday ones, and some that guards are written for. */
const CALLS: readonly Fields[] = [
  ...TRIED_LINES.map((command) => ({ tool_name: "Bash", tool_input: { command } })),
  {
    tool_name: "apply_patch",
    tool_input: { command: "*** Begin Patch\n*** Add File: .env\n+KEY=1\n*** End Patch\n" },
  },
];
const OTHERS: Readonly<Record<string, readonly Fields[]>> = {
  SessionStart: [{ source: "startup" }, { source: "resume" }],
  SessionEnd: [{ reason: "other" }],
  UserPromptSubmit: [{ prompt: "Fix the tests." }],
  Stop: [{ stop_hook_active: false, last_assistant_message: "Done." }],
  SubagentStart: [{ agent_id: "a1", agent_type: "worker" }],
  SubagentStop: [{ agent_id: "a1", agent_type: "worker", stop_hook_active: false }],
  PreCompact: [{ trigger: "auto" }],
  PostCompact: [{ trigger: "auto" }],
};

export const codexCompared: ComparedHooks = {
  samples: samplesFrom({
    base: (event, cwd) => ({
      session_id: "check",
      turn_id: "turn",
      transcript_path: null,
      cwd,
      hook_event_name: event,
      model: "gpt",
      permission_mode: "default",
    }),
    calls: CALLS,
    ofCall: (event, at) => ({
      tool_use_id: `call_${at}`,
      ...(event === "PostToolUse" ? { tool_response: "done" } : {}),
    }),
    toolEvents: TOOL_EVENTS,
    others: OTHERS,
  }),
  runs: ({ event, matcher }, payload) => isMatched(event, matcher, payload),
  understood: understoodReply,
  variables: () => ({}),
};

/** What Codex does with the reply of a hook: a failure counts for nothing. */
function understoodReply({ event }: OriginalHook, { stdout, stderr, exit_code }: HookReply): UnderstoodReply {
  if (exit_code === 2) return stderr.trim() === "" ? {} : refusedOn(codexTable, event, stderr.trim());
  if (exit_code !== 0) return {};
  const text = stdout.trim();
  if (!text.startsWith("{"))
    return text !== "" && ["SessionStart", "UserPromptSubmit", "SubagentStart"].includes(event)
      ? { context: text }
      : {};
  const reply = replyIn(text);
  if (reply === undefined) return {};
  const { top, specific } = reply;
  const decision = isRecord(specific.decision) ? specific.decision : {};
  const verdict = specific.permissionDecision ?? decision.behavior;
  const reason = textOf(specific.permissionDecisionReason) ?? textOf(decision.message);
  return {
    ...(top.decision === "block" ? refusedOn(codexTable, event, textOf(top.reason) ?? "") : {}),
    ...(verdict === "deny" ? understood({ verdict, reason }) : {}),
    ...understood({
      verdict: decision.behavior === "allow" ? "allow" : undefined,
      input:
        verdict === "allow" && isRecord(specific.updatedInput)
          ? JSON.stringify(specific.updatedInput)
          : undefined,
      context: textOf(specific.additionalContext),
      ends: top.continue === false && rowOf(codexTable, event).says.abort !== undefined ? "yes" : undefined,
      message: textOf(top.systemMessage),
    }),
  };
}
