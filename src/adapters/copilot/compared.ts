import { isRecord } from "../../core/base/json.ts";
import { textOf } from "../../core/base/text.ts";
import { rowOf } from "../codec/agent-table.ts";
import { refusedOn, replyIn, samplesFrom, TRIED_LINES, understood } from "../import/compare.ts";
import type { ComparedHooks, HookReply, OriginalHook, UnderstoodReply } from "../integration.ts";
import { copilotTable } from "./copilot.ts";
import { copilotEvent, TOOL_EVENTS, withCapital } from "./events.ts";
import { hasSmallLetter, isMatched } from "./import.ts";

type Fields = Readonly<Record<string, unknown>>;

const TIME = "2026-01-01T00:00:00.000Z";

const TOOL_CALLS = new Set([...TOOL_EVENTS].filter((event) => event !== "PermissionRequest"));

/** Calls with Copilot's own names: everyday ones, and some that guards are written for. */
const CALLS: readonly (readonly [own: string, borrowed: string, input: Fields])[] = [
  ...TRIED_LINES.map((command) => ["bash", "Bash", { command, description: "Run it" }] as const),
  ["create", "Write", { path: ".env", file_text: "KEY=1" }],
  ["view", "Read", { path: "README.md" }],
];

/** The events that have the same fields in both spellings. */
const OTHERS: Readonly<Record<string, readonly Fields[]>> = {
  SessionStart: [{ source: "new" }, { source: "resume" }],
  SessionEnd: [{ reason: "complete" }],
  UserPromptSubmit: [{ prompt: "Fix the tests." }],
};

function failure(event: string): Fields {
  return event === "PostToolUseFailure" ? { error: "It failed." } : {};
}

const withCapitals = samplesFrom({
  base: (event, cwd) => ({ hook_event_name: event, session_id: "check", timestamp: TIME, cwd }),
  calls: CALLS.map(([, tool_name, tool_input]) => ({ tool_name, tool_input })),
  ofCall: (event) => ({
    ...(event === "PostToolUse"
      ? { tool_result: { result_type: "success", text_result_for_llm: "done" } }
      : {}),
    ...failure(event),
  }),
  toolEvents: TOOL_CALLS,
  others: {
    ...OTHERS,
    Stop: [{ stop_reason: "end_turn", stop_hook_active: false }],
    SubagentStop: [{ agent_name: "worker", stop_reason: "end_turn", stop_hook_active: false }],
  },
});

const withSmallLetters = samplesFrom({
  base: (_event, cwd) => ({ sessionId: "check", timestamp: Date.parse(TIME), cwd }),
  calls: CALLS.map(([toolName, , toolArgs]) => ({ toolName, toolArgs })),
  ofCall: (event) => ({
    ...(event === "PostToolUse" ? { toolResult: { resultType: "success", textResultForLlm: "done" } } : {}),
    ...failure(event),
  }),
  toolEvents: TOOL_CALLS,
  others: {
    ...OTHERS,
    Stop: [{ stopReason: "end_turn", stop_hook_active: false }],
    SubagentStop: [{ agentName: "worker", stopReason: "end_turn", stop_hook_active: false }],
    // The others have nothing by which they are known.
    ErrorOccurred: [],
    PreCompact: [],
    SubagentStart: [],
    Notification: [],
  },
});

export const copilotCompared: ComparedHooks = {
  samples(original, cwd) {
    const event = withCapital(original.event);
    // This event has one form only.
    if (event === "PermissionRequest") return TRIED_LINES.map((command) => permission(command, cwd));
    const samples = hasSmallLetter(original.event) ? withSmallLetters : withCapitals;
    return samples({ ...original, event }, cwd);
  },
  sends: (event, payload) => {
    const isIts = copilotEvent(payload) === withCapital(event);
    if (withCapital(event) === "PermissionRequest") return isIts;
    return isIts && hasSmallLetter(event) === (payload.hook_event_name === undefined);
  },
  runs: ({ event, matcher }, payload) => isMatched(event, matcher, payload),
  understood: understoodReply,
  variables: (root) => ({ COPILOT_CLI: "1", COPILOT_PROJECT_DIR: root, CLAUDE_PROJECT_DIR: root }),
};

function permission(command: string, cwd: string): Fields {
  const about = { toolName: "bash", toolInput: { command }, permissionSuggestions: [] };
  return { hookName: "permissionRequest", sessionId: "check", timestamp: Date.parse(TIME), cwd, ...about };
}

/** What Copilot does with the reply of a hook. A hook that takes too long counts for nothing. */
function understoodReply(original: OriginalHook, reply: HookReply): UnderstoodReply {
  const { stdout, exit_code } = reply;
  const event = withCapital(original.event);
  if (exit_code === null) return {};
  const found = replyIn(stdout.trim());
  if (event !== "PreToolUse" && event !== "PermissionRequest")
    return exit_code === 0 && found !== undefined ? replyWith(event, found.top) : {};
  const top = {
    ...(event === "PreToolUse" && !hasSmallLetter(original.event) ? nested(found?.specific) : {}),
    ...found?.top,
  };
  const verdict = top.permissionDecision ?? top.behavior;
  const reason = textOf(top.permissionDecisionReason) ?? textOf(top.message);
  if (exit_code !== 0 || verdict === "deny") return understood({ verdict: "deny", reason });
  return {
    ...(verdict === "ask" || verdict === "allow" ? understood({ verdict, reason }) : {}),
    ...understood({
      input: isRecord(top.modifiedArgs) ? JSON.stringify(top.modifiedArgs) : undefined,
      context: event === "PreToolUse" ? textOf(top.additionalContext) : undefined,
    }),
  };
}

/** Claude Code's words, which count before a call in the form of the capital letter. */
function nested({ updatedInput, ...specific }: Fields = {}): Fields {
  return { ...specific, ...(updatedInput === undefined ? {} : { modifiedArgs: updatedInput }) };
}

/** A reply on an event that is not about whether a call may run. */
function replyWith(event: string, top: Fields): UnderstoodReply {
  const { says } = rowOf(copilotTable, event);
  return {
    ...(top.decision === "block" ? refusedOn(copilotTable, event, textOf(top.reason) ?? "") : {}),
    ...understood({
      input: says.rewrite === "modified_prompt" ? textOf(top.modifiedPrompt) : undefined,
      output:
        says.rewrite === "modified_result" && isRecord(top.modifiedResult)
          ? textOf(top.modifiedResult.textResultForLlm)
          : undefined,
      context: says.context === undefined ? undefined : textOf(top.additionalContext),
    }),
  };
}
