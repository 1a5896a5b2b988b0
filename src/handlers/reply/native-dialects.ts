import { isRecord, parseJson, withoutUndefined } from "../../core/base/json.ts";
import { type Exit, REFUSED } from "./read-exit.ts";
import type { ReplyObject } from "./reply-keys.ts";
import { allows, type ReplySite } from "./reply-site.ts";

/** How the replies of an agent's own hooks differ from Claude Code's. */
interface NativeDialect {
  /** Its keys, at the top or in hookSpecificOutput, with Claude Code's key in hookSpecificOutput. */
  readonly keys: Readonly<Record<string, string>>;
  /** The exit codes that refuse. */
  refuses(exit_code: number): boolean;
  /** What plain output is: shown to the user, a fault on a gate, or nothing. Default: as for Claude Code. */
  readonly text?: "message" | "fault" | "nothing";
  /** The gates on which plain output is nothing, though it is a fault on others. */
  readonly ignoresTextOn?: readonly string[];
  /** True when it reads stderr where stdout is empty. */
  readonly stderr?: true;
  /** The key that replaces the input only in part. */
  readonly merged?: string;
  /** The key that keeps the agent going. */
  readonly goesOn?: string;
  /** The key that replaces the prompt. */
  readonly prompt?: string;
  /** True when the verdict on a permission is at the top: `behavior` and `message`. */
  readonly behavior?: true;
  /** The only events on which an exit code refuses. Default: all. */
  readonly refusesOn?: readonly string[];
}

/** Values of `decision` with Claude Code's. */
const DECISIONS: ReadonlyMap<unknown, string> = new Map([
  ["deny", "block"],
  ["allow", "approve"],
]);

/** By the host of the event. Every other agent takes replies as Claude Code does. */
const DIALECTS: ReadonlyMap<string, NativeDialect> = new Map<string, NativeDialect>([
  [
    "gemini",
    { keys: { tool_input: "updatedInput" }, refuses: (code) => code > 1, text: "message", stderr: true },
  ],
  ["qwen", { keys: {}, refuses: (code) => code === REFUSED, stderr: true }],
  [
    "cursor",
    {
      keys: {
        permission: "permissionDecision",
        user_message: "permissionDecisionReason",
        // For the model alone; people read the other one.
        agent_message: "permissionDecisionReason",
        updated_input: "updatedInput",
        additional_context: "additionalContext",
      },
      refuses: (code) => code === REFUSED,
      text: "fault",
      ignoresTextOn: ["UserPromptSubmit"],
      merged: "updated_input",
      goesOn: "followup_message",
    },
  ],
  [
    "copilot",
    {
      keys: {
        permissionDecision: "permissionDecision",
        permissionDecisionReason: "permissionDecisionReason",
        modifiedArgs: "updatedInput",
        modifiedResult: "updatedToolOutput",
        additionalContext: "additionalContext",
      },
      refuses: (code) => code === REFUSED,
      refusesOn: ["PreToolUse", "PermissionRequest"],
      text: "nothing",
      prompt: "modifiedPrompt",
      behavior: true,
    },
  ],
]);

export function dialectOf({ event }: ReplySite): NativeDialect | undefined {
  return DIALECTS.get(event.host);
}

/**
 * A reply in the words of Claude Code. What is in its words already stays: programs written for Claude Code run in other
 * agents too, and refuse there.
 */
export function asClaudeReply(value: ReplyObject, site: ReplySite): ReplyObject {
  const dialect = dialectOf(site);
  const { hookSpecificOutput: given, ...rest } = value;
  if (dialect === undefined || (given !== undefined && !isRecord(given))) return value;
  const top: Record<string, unknown> = rest;
  const specific: Record<string, unknown> = { ...given };
  if (top.continue === false) top.stopReason ??= top.user_message;
  if (dialect.goesOn !== undefined && allows(site, "keep_going") && top[dialect.goesOn] !== undefined) {
    top.decision ??= "block";
    top.reason ??= top[dialect.goesOn];
  }
  const part = dialect.merged === undefined ? undefined : top[dialect.merged];
  if (dialect.merged !== undefined && isRecord(part)) top[dialect.merged] = { ...inputOf(site), ...part };
  for (const [key, own] of Object.entries(dialect.keys))
    for (const level of [top, specific]) {
      if (level[key] === undefined || (level === specific && key === own)) continue;
      specific[own] ??= level[key];
      delete level[key];
    }
  if (dialect.prompt !== undefined) delete top[dialect.prompt];
  if (dialect.behavior === true && site.name === "PermissionRequest") {
    const { behavior, message } = top;
    if (behavior !== undefined) specific.decision ??= withoutUndefined({ behavior, message });
    delete top.behavior;
    delete top.message;
  }
  // What goes on anyway needs no verdict, and is not a faulty one.
  if (top.decision === "continue") delete top.decision;
  if (top.decision === "ask") {
    specific.permissionDecision ??= "ask";
    specific.permissionDecisionReason ??= top.reason;
    delete top.decision;
  }
  // Where a question means nothing, the call would run.
  const isAsked = specific.permissionDecision === "ask";
  if (isAsked && (site.known?.own !== false || !allows(site, "ask"))) specific.permissionDecision = "deny";
  if (top.decision !== undefined) top.decision = DECISIONS.get(top.decision) ?? top.decision;
  // These agents do not compare the name of the event.
  return Object.keys(specific).length === 0
    ? top
    : { ...top, hookSpecificOutput: { ...withoutUndefined(specific), hookEventName: site.name } };
}

function inputOf({ event }: ReplySite): ReplyObject {
  const input: unknown = Reflect.get(event, "tool_input");
  return isRecord(input) ? input : {};
}

const FAILED = 1;

/** How a program ended, as one for Claude Code would have. */
export function asClaudeExit(exit: Exit, site: ReplySite): Exit {
  const dialect = dialectOf(site);
  if (dialect === undefined) return exit;
  if (exit.exit_code === REFUSED && dialect.refusesOn?.includes(site.name) === false)
    return { ...exit, exit_code: FAILED };
  const [out, errors] = [exit.stdout.trim(), exit.stderr.trim()];
  if (isRecord(parseJson(out))) return exit;
  if (out === "" && dialect.stderr === true && isRecord(parseJson(errors)))
    return { ...exit, stdout: errors, stderr: "" };
  if (!dialect.refuses(exit.exit_code)) return exit;
  return { exit_code: REFUSED, stdout: "", stderr: out === "" ? errors : out };
}
