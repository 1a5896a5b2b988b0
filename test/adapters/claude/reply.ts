import type { Decision } from "tenterhook";
import { claude } from "../../../src/adapters/claude/claude.ts";

const NOTHING: Decision = { action: "continue", context: [], user_messages: [], hook_inputs: [], runs: [] };

/** The reply to a decision about an event of this name, as data. */
export function reply(hook_event_name: string, decision: Partial<Decision>, degrade = {}, fields = {}) {
  const event = claude.decode({ hook_event_name, session_id: "s1", cwd: "/project", ...fields });
  const { stdout, ...rest } = claude.encode({ ...NOTHING, ...decision }, event, degrade);
  const output: unknown = stdout.startsWith("{") ? JSON.parse(stdout) : stdout;
  return { output, ...rest };
}
