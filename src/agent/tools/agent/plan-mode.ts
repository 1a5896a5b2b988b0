import type { PermissionMode, Tool, ToolContext } from "../../../core/contracts/tool.ts";
import { failed, inputSchema, textField, textOf } from "../input.ts";

/** Switches to plan mode, in which only reading is allowed. */
export const enterPlanModeTool: Tool = {
  name: "EnterPlanMode",
  description: `Enters plan mode: until the user agrees to a plan you can read and search, but change nothing.

- Use it before work that is large or has several ways to be done. Look around, then call ExitPlanMode with the plan.`,
  input_schema: inputSchema({}, []),
  annotations: { read_only: true, sequential: true, idempotent: true },
  async run(_, context) {
    if (context.host.mode === "plan") return { content: "You are in plan mode already." };
    const { agreed, feedback } = await changeMode("plan", undefined, context);
    if (!agreed) throw failed(`The user did not agree to plan mode.${withFeedback(feedback)}`);
    return {
      content: "You are in plan mode: read and search, then call ExitPlanMode with your plan.",
      data: { mode: "plan" },
    };
  },
};

/** Shows the user a plan. When they agree, the previous mode is restored. */
export const exitPlanModeTool: Tool = {
  name: "ExitPlanMode",
  description: `Shows the user your plan and, when they agree, leaves plan mode so that you can carry it out.

- Use it in plan mode only, when the plan is complete. If the user does not agree, change the plan as they say and call it again.`,
  input_schema: inputSchema(
    {
      plan: textField("The plan, in Markdown: what you will do, step by step."),
    },
    ["plan"],
  ),
  annotations: { read_only: true, sequential: true },
  replay: "safe",
  async run(input, context) {
    const plan = textOf(input, "plan");
    const { mode, mode_before = "default" } = context.host;
    if (mode !== "plan") throw failed("You are not in plan mode; carry on with the work.");
    const { agreed, feedback } = await changeMode(mode_before, plan, context);
    if (!agreed)
      throw failed(
        `The user did not agree to the plan; you are still in plan mode.${withFeedback(feedback)}`,
      );
    return {
      content: `The user agreed to the plan. You can carry it out now.${withFeedback(feedback)}`,
      data: { plan },
    };
  },
};

async function changeMode(mode: PermissionMode, plan: string | undefined, { host }: ToolContext) {
  if (host.setMode === undefined) throw failed("The mode can't be changed here.");
  return host.setMode(mode, plan);
}

function withFeedback(feedback: string | undefined): string {
  return feedback === undefined || feedback === "" ? "" : ` They said: ${feedback}`;
}
