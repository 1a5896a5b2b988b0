import { isRecord } from "../../../core/base/json.ts";
import type { ComparedHooks, HookReply, OriginalHook, UnderstoodReply } from "../../bridge.ts";
import { rowOf } from "../../codec/agent-table.ts";
import { TOOL_EVENTS } from "../events.ts";
import { codexTable } from "../table.ts";
import { isMatched } from "./matcher.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Calls of tools: everyday ones, and some that guards are written for. */
const CALLS: readonly Fields[] = [
  { tool_name: "Bash", tool_input: { command: "ls -la" } },
  { tool_name: "Bash", tool_input: { command: "git push --force origin main" } },
  { tool_name: "Bash", tool_input: { command: "rm -rf / --no-preserve-root" } },
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

/** How Codex runs its own hooks. */
export const codexCompared: ComparedHooks = {
  samples: ({ event }, cwd) =>
    (TOOL_EVENTS.has(event) ? CALLS : (OTHERS[event] ?? [{}])).map((fields, at) => ({
      session_id: "check",
      turn_id: "turn",
      transcript_path: null,
      cwd,
      hook_event_name: event,
      model: "gpt",
      permission_mode: "default",
      ...fields,
      ...(TOOL_EVENTS.has(event) ? { tool_use_id: `call_${at}` } : {}),
      ...(event === "PostToolUse" ? { tool_response: "done" } : {}),
    })),
  runs: ({ event, matcher }, payload) =>
    payload.hook_event_name === event && isMatched(event, matcher, payload),
  understood: understoodReply,
  variables: () => ({}),
};

/** What Codex does with the reply of a hook: a failure counts for nothing. */
function understoodReply({ event }: OriginalHook, { stdout, stderr, exit_code }: HookReply): UnderstoodReply {
  if (exit_code === 2) return stderr.trim() === "" ? {} : refused(event, stderr.trim());
  if (exit_code !== 0) return {};
  const text = stdout.trim();
  if (!text.startsWith("{"))
    return text !== "" && ["SessionStart", "UserPromptSubmit", "SubagentStart"].includes(event)
      ? { context: text }
      : {};
  const top = parsed(text);
  if (top === undefined) return {};
  const specific = isRecord(top.hookSpecificOutput) ? top.hookSpecificOutput : {};
  const decision = isRecord(specific.decision) ? specific.decision : {};
  const verdict = specific.permissionDecision ?? decision.behavior;
  const reason = textOf(specific.permissionDecisionReason) ?? textOf(decision.message);
  return {
    ...(top.decision === "block" ? refused(event, textOf(top.reason) ?? "") : {}),
    ...(verdict === "deny" ? { verdict: "deny", ...(reason === undefined ? {} : { reason }) } : {}),
    ...(decision.behavior === "allow" ? { verdict: "allow" } : {}),
    ...(verdict === "allow" && isRecord(specific.updatedInput)
      ? { input: JSON.stringify(specific.updatedInput) }
      : {}),
    ...(typeof specific.additionalContext === "string" ? { context: specific.additionalContext } : {}),
    ...(top.continue === false && rowOf(codexTable, event).says.abort !== undefined ? { ends: "yes" } : {}),
    ...(typeof top.systemMessage === "string" ? { message: top.systemMessage } : {}),
  };
}

function refused(event: string, reason: string): UnderstoodReply {
  const { says } = rowOf(codexTable, event);
  if (says.keep_going !== undefined) return { verdict: "keeps going", reason };
  return says.deny === undefined ? {} : { verdict: "deny", reason };
}

function parsed(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
