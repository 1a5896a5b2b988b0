import type { Tool } from "../../../core/contracts/tool.ts";
import { failed, flagField, flagOf, inputSchema, optionalText, textField, textOf } from "../input.ts";

const DESCRIPTION = `Starts a subagent that works on a task by itself and returns its result.

- It sees nothing of this conversation: write into task all it has to know, and what it is to answer.
- It works under the same hooks, permissions and limits as you. Several can work side by side: call Task several times in one message.
- To go on with a subagent that has answered, give its agent_id as resume_agent_id.`;

/**
 * Starts or resumes a subagent. It counts as read-only, so that several run in parallel and plan mode can use it: the
 * call itself changes nothing, and everything the subagent does passes the same gates. An interrupted call may run
 * again: it finds the subagent it had started and resumes it.
 */
export const taskTool: Tool = {
  name: "Task",
  description: DESCRIPTION,
  input_schema: inputSchema(
    {
      agent_type: textField("Which subagent: general-purpose, or the name of a definition."),
      task: textField("What it is to do, in full."),
      description: textField("The task in three to five words, for the user."),
      resume_agent_id: textField("The subagent to go on with."),
      run_in_background: flagField("Answer at once and deliver the result when it is done."),
    },
    ["agent_type", "task", "description"],
  ),
  annotations: { read_only: true },
  replay: "safe",
  async run(input, { host, signal }) {
    if (host.startTask === undefined) throw failed("Subagents are not available here. Do the task yourself.");
    const resume_agent_id = optionalText(input, "resume_agent_id");
    return host.startTask(
      {
        agent_type: textOf(input, "agent_type"),
        task: textOf(input, "task"),
        description: textOf(input, "description"),
        resume_agent_id,
        run_in_background: flagOf(input, "run_in_background"),
      },
      signal,
    );
  },
};
