import { isRecord } from "../../core/base/json.ts";
import { type Exit, REFUSED } from "./read-exit.ts";
import type { ReplyObject } from "./reply-keys.ts";
import type { ReplySite } from "./reply-site.ts";

/** How the replies of an agent's own hooks differ from Claude Code's. */
interface NativeDialect {
  /** Its keys, at the top or in hookSpecificOutput, with Claude Code's key in hookSpecificOutput. */
  readonly keys: Readonly<Record<string, string>>;
  /** The exit codes that refuse. */
  refuses(exit_code: number): boolean;
  /** What plain output is on every event. Default: as for Claude Code. */
  readonly text?: "message";
}

/** Values of `decision` with Claude Code's. */
const DECISIONS: ReadonlyMap<unknown, string> = new Map([
  ["deny", "block"],
  ["allow", "approve"],
]);

/** By the host of the event. Every other agent takes replies as Claude Code does. */
const DIALECTS: ReadonlyMap<string, NativeDialect> = new Map<string, NativeDialect>([
  ["gemini", { keys: { tool_input: "updatedInput" }, refuses: (code) => code > 1, text: "message" }],
  ["qwen", { keys: {}, refuses: (code) => code === REFUSED }],
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
  for (const [key, own] of Object.entries(dialect.keys))
    for (const level of [top, specific]) {
      if (level[key] === undefined) continue;
      specific[own] ??= level[key];
      delete level[key];
    }
  if (top.decision === "ask") {
    specific.permissionDecision ??= "ask";
    specific.permissionDecisionReason ??= top.reason;
    delete top.decision;
  }
  if (top.decision !== undefined) top.decision = DECISIONS.get(top.decision) ?? top.decision;
  // These agents do not compare the name of the event.
  return Object.keys(specific).length === 0
    ? top
    : { ...top, hookSpecificOutput: { ...defined(specific), hookEventName: site.name } };
}

/** How a program ended, as one for Claude Code would have: these agents read stderr when stdout is empty. */
export function asClaudeExit(exit: Exit, site: ReplySite): Exit {
  const dialect = dialectOf(site);
  if (dialect === undefined) return exit;
  const [out, errors] = [exit.stdout.trim(), exit.stderr.trim()];
  if (isObject(out === "" ? errors : out)) return out === "" ? { ...exit, stdout: errors, stderr: "" } : exit;
  if (!dialect.refuses(exit.exit_code)) return exit;
  return { exit_code: REFUSED, stdout: "", stderr: out === "" ? errors : out };
}

function defined(fields: ReplyObject): ReplyObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function isObject(text: string): boolean {
  try {
    return isRecord(JSON.parse(text));
  } catch {
    return false;
  }
}
