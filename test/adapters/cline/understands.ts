import type { Effect } from "tenterhook";
import type { NativePayload, NativeReply } from "../../../src/adapters/adapter.ts";
import { isRecord } from "../../../src/core/base/json.ts";
import type { Understood } from "../support/adapter-suite.ts";

/** The tools that were seen to reject `null`. */
const REJECT_NULL = ["run_commands", "editor", "read_files", "spawn_agent"];
/** It reads the replies to these alone; the others run on their own. */
const WAITED_FOR = ["tool_call", "tool_result", "SomethingOfNextYear"];

/**
 * What Cline 3.0.65 was seen to do with a reply. It reads JSON on stdout, whatever the exit code. Nobody is shown what is
 * on stderr, which is why every message is a declared loss.
 */
export function clineUnderstands({ stdout, stderr: shown }: NativeReply, payload: NativePayload): Understood {
  const reply = WAITED_FOR.some((name) => name === payload.hookName) ? parsed(stdout) : {};
  const { cancel, overrideInput, contextModification } = reply;
  const effects = new Set<Effect>();
  // No model is left that could read context.
  if (cancel === true)
    return { verdict: "deny", effects: new Set(["deny", "abort", "context"]), ends: true, shown };
  if (typeof contextModification === "string") effects.add("context");
  if (payload.hookName === "tool_result") {
    // The model reads the reason of a refusal behind the result.
    const isRead = effects.has("context");
    if (isRead) effects.add("deny");
    return { verdict: isRead ? "deny" : "continue", effects, ends: false, shown };
  }
  const tool = isRecord(payload.tool_call) ? payload.tool_call.name : undefined;
  const isRefused =
    overrideInput === null
      ? typeof tool === "string" && REJECT_NULL.includes(tool) && effects.has("context")
      : tool === "run_commands" && onlyPrints(overrideInput);
  // What goes with a refusal is in its reason.
  if (isRefused) return { verdict: "deny", effects: new Set(["deny", "context"]), ends: false, shown };
  if (overrideInput !== undefined) effects.add("rewrite");
  return { verdict: "continue", effects, ends: false, shown };
}

/** A program that is started without a shell, prints its last argument and fails. */
function onlyPrints(input: unknown): boolean {
  const commands = isRecord(input) && Array.isArray(input.commands) ? input.commands : [];
  const [first, ...others]: readonly unknown[] = commands;
  if (!isRecord(first) || others.length > 0 || first.command !== "sh" || !Array.isArray(first.args))
    return false;
  const [flag, script, , text] = first.args;
  return flag === "-c" && script === 'printf "%s\\n" "$1" >&2; exit 126' && typeof text === "string";
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
