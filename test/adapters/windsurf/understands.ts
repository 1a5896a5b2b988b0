import type { NativePayload, NativeReply } from "../../../src/adapters/adapter.ts";
import type { Understood } from "../support/adapter-suite.ts";

/** What exit code 2 stops, by the documentation of Windsurf; nothing else does. */
const STOPPED = [
  "pre_read_code",
  "pre_write_code",
  "pre_run_command",
  "pre_mcp_tool_use",
  "pre_user_prompt",
  "SomethingOfNextYear",
];
/** The events for which `show_output` does not apply. */
const NOT_SHOWN = ["pre_user_prompt", "post_cascade_response", "post_cascade_response_with_transcript"];

/** What Windsurf does with a reply, by its documentation: it was not run. It reads nothing of stdout. */
export function windsurfUnderstands(
  { exit_code, stdout, stderr }: NativeReply,
  payload: NativePayload,
): Understood {
  const event = typeof payload.agent_action_name === "string" ? payload.agent_action_name : "";
  const isRefused = exit_code === 2 && STOPPED.includes(event);
  const output = NOT_SHOWN.includes(event) ? "" : `${stdout}\n`;
  return {
    verdict: isRefused ? "deny" : "continue",
    effects: new Set(isRefused ? ["deny"] : []),
    ends: false,
    shown: isRefused ? `${output}${stderr}\n` : output,
  };
}
