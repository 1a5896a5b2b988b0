import { isRecord } from "../../../core/base/json.ts";
import { isGate, rowOf } from "../../codec/agent-table.ts";
import { replyIn, understood } from "../../import/compare.ts";
import type { HookReply, UnderstoodReply } from "../../integration.ts";
import { claudeTable } from "../claude.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The events on which a refusal after the fact is read by the model. */
const TOLD = ["PostToolUse", "PostToolUseFailure"];
/** The events on which plain output is context. */
const PLAIN = ["SessionStart", "UserPromptSubmit", "UserPromptExpansion", "PreCompact"];

/** True when exit code 2 and a `block` refuse something. */
function isRefusable(event: string): boolean {
  const row = rowOf(claudeTable, event);
  return isGate(row) && row.says.deny !== undefined;
}

function keepsGoing(event: string): boolean {
  return rowOf(claudeTable, event).says.keep_going !== undefined;
}

/** What Claude Code does with the reply of a hook, as documented and observed. `closed`: its failure refuses. */
export function understoodReply(
  event: string,
  { stdout, stderr, exit_code }: HookReply,
  closed: boolean,
): UnderstoodReply {
  const failed: UnderstoodReply = closed && isRefusable(event) ? { verdict: "deny" } : {};
  if (event === "WorktreeCreate") return exit_code === 0 ? { answer: stdout.trim() } : { verdict: "deny" };
  const text = stdout.trim();
  const { top } = replyIn(text) ?? {};
  // A reply in JSON counts with every exit code.
  const replied = top === undefined ? undefined : readReply(event, top);
  if (exit_code === 2) return { ...replied, ...refused(event, stderr.trim()) };
  if (exit_code !== 0) return { ...failed, ...replied };
  if (top !== undefined) return replied ?? failed;
  // So does everything else that is printed, broken JSON included, as text.
  return text !== "" && PLAIN.includes(event) ? { context: text } : {};
}

/** What a reply says; `undefined` when it names another event, which makes it invalid. */
function readReply(event: string, top: Fields): UnderstoodReply | undefined {
  const { hookSpecificOutput: given } = top;
  if (isRecord(given) && given.hookEventName !== event) return undefined;
  const specific = isRecord(given) ? given : {};
  return { ...verdictOf(event, top, specific), ...effectsOf(event, top, specific) };
}

function refused(event: string, reason: string): UnderstoodReply {
  if (keepsGoing(event)) return { verdict: "keeps going", reason };
  if (TOLD.includes(event)) return { verdict: "tells the model", reason };
  if (event === "PostToolBatch") return { ends: "yes" };
  return isRefusable(event) ? { verdict: "deny", reason } : {};
}

function verdictOf(event: string, top: Fields, specific: Fields): UnderstoodReply {
  if (top.decision === "block" && event !== "PostToolBatch") return refused(event, textOf(top.reason) ?? "");
  if (event === "PermissionRequest" && isRecord(specific.decision)) {
    const { behavior, message } = specific.decision;
    return understoodVerdict(behavior, behavior === "deny" ? message : undefined);
  }
  if (event !== "PreToolUse" && event !== "PreModelSwitch") return {};
  if (top.decision === "approve") return { verdict: "allow" };
  return understoodVerdict(specific.permissionDecision, specific.permissionDecisionReason);
}

function understoodVerdict(verdict: unknown, reason: unknown): UnderstoodReply {
  if (verdict !== "allow" && verdict !== "deny" && verdict !== "ask") return {};
  // Nobody reads why something is allowed.
  const text = verdict === "allow" ? undefined : textOf(reason);
  return understood({ verdict, reason: text });
}

function effectsOf(event: string, top: Fields, specific: Fields): UnderstoodReply {
  const takesContext = rowOf(claudeTable, event).says.context !== undefined || keepsGoing(event);
  const decision = isRecord(specific.decision) ? specific.decision : {};
  const input = event === "PreToolUse" ? specific.updatedInput : decision.updatedInput;
  const output = event === "PostToolUse" ? specific.updatedToolOutput : undefined;
  return understood({
    context: takesContext ? textOf(specific.additionalContext) : undefined,
    input: isRecord(input) ? JSON.stringify(sorted(input)) : undefined,
    output: output === undefined ? undefined : JSON.stringify(output),
    ends: top.continue === false ? "yes" : undefined,
    message: textOf(top.systemMessage),
  });
}

function sorted(value: Fields): Fields {
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}
