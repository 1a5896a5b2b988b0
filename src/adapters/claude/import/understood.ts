import { isRecord } from "../../../core/base/json.ts";
import type { HookReply, UnderstoodReply } from "../../bridge.ts";

type Fields = Readonly<Record<string, unknown>>;

const KEEPS_GOING = ["Stop", "SubagentStop", "TeammateIdle"];
/** The events on which exit code 2 and a `block` refuse something. */
const REFUSED = [
  "PreToolUse",
  "PermissionRequest",
  "UserPromptSubmit",
  "UserPromptExpansion",
  "PreModelSwitch",
  "PreCompact",
  "ConfigChange",
  "TaskCreated",
  "TaskCompleted",
  "Elicitation",
  "ElicitationResult",
];
/** The events on which a refusal is read by the model. */
const TOLD = ["PostToolUse", "PostToolUseFailure"];
/** The events on which plain output is context. */
const PLAIN = ["SessionStart", "UserPromptSubmit", "UserPromptExpansion", "PreCompact"];
const CONTEXT = [
  ...PLAIN,
  ...TOLD,
  "Setup",
  "PreToolUse",
  "PostToolBatch",
  "SubagentStart",
  "PostModelSwitch",
  ...KEEPS_GOING,
];

/** What Claude Code does with the reply of a hook, as documented and observed. `closed`: its failure refuses. */
export function understoodReply(
  event: string,
  { stdout, stderr, exit_code }: HookReply,
  closed: boolean,
): UnderstoodReply {
  const failed: UnderstoodReply = closed && REFUSED.includes(event) ? { verdict: "deny" } : {};
  if (exit_code === 2) return refused(event, stderr.trim());
  if (event === "WorktreeCreate") return exit_code === 0 ? { answer: stdout.trim() } : { verdict: "deny" };
  if (exit_code !== 0) return failed;
  const text = stdout.trim();
  if (!text.startsWith("{")) return text !== "" && PLAIN.includes(event) ? { context: text } : {};
  let top: unknown;
  try {
    top = JSON.parse(text);
  } catch {
    return failed;
  }
  if (!isRecord(top)) return failed;
  const { hookSpecificOutput: given } = top;
  const specific = isRecord(given) ? given : {};
  if (isRecord(given) && given.hookEventName !== event) return failed;
  return { ...verdictOf(event, top, specific), ...effectsOf(event, top, specific) };
}

function refused(event: string, reason: string): UnderstoodReply {
  if (KEEPS_GOING.includes(event)) return { verdict: "keeps going", reason };
  if (TOLD.includes(event)) return { verdict: "tells the model", reason };
  if (event === "PostToolBatch") return { ends: "yes" };
  return REFUSED.includes(event) ? { verdict: "deny", reason } : {};
}

function verdictOf(event: string, top: Fields, specific: Fields): UnderstoodReply {
  if (
    top.decision === "block" &&
    (TOLD.includes(event) || REFUSED.includes(event) || KEEPS_GOING.includes(event))
  )
    return refused(event, textOf(top.reason) ?? "");
  if (event === "PermissionRequest" && isRecord(specific.decision)) {
    const { behavior, message } = specific.decision;
    return said(behavior, behavior === "deny" ? message : undefined);
  }
  if (event !== "PreToolUse" && event !== "PreModelSwitch") return {};
  if (top.decision === "approve") return { verdict: "allow" };
  return said(specific.permissionDecision, specific.permissionDecisionReason);
}

function said(verdict: unknown, reason: unknown): UnderstoodReply {
  if (verdict !== "allow" && verdict !== "deny" && verdict !== "ask") return {};
  // Nobody reads why something is allowed.
  const text = verdict === "allow" ? undefined : textOf(reason);
  return { verdict, ...(text === undefined ? {} : { reason: text }) };
}

function effectsOf(event: string, top: Fields, specific: Fields): UnderstoodReply {
  const context = CONTEXT.includes(event) ? textOf(specific.additionalContext) : undefined;
  const decision = isRecord(specific.decision) ? specific.decision : {};
  const input = event === "PreToolUse" ? specific.updatedInput : decision.updatedInput;
  const output = event === "PostToolUse" ? specific.updatedToolOutput : undefined;
  const message = textOf(top.systemMessage);
  return {
    ...(context === undefined ? {} : { context }),
    ...(isRecord(input) ? { input: JSON.stringify(sorted(input)) } : {}),
    ...(output === undefined ? {} : { output: JSON.stringify(output) }),
    ...(top.continue === false ? { ends: "yes" } : {}),
    ...(message === undefined ? {} : { message }),
  };
}

function sorted(value: Fields): Fields {
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}
