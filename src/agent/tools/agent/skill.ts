import type { Tool } from "../../../core/contracts/tool.ts";
import { failed, inputSchema, optionalText, textField, textOf } from "../input.ts";

/** Loads a skill. It counts as read-only: it reads, and the hooks it puts in force can only refuse more. */
export const skillTool: Tool = {
  name: "Skill",
  description: `Loads a skill: instructions for a kind of work, which you then follow.

- Load one before you begin work that its description is about. It can refer to files in its folder: read them when you need them.`,
  input_schema: inputSchema(
    {
      skill: textField("The name of the skill."),
      args: { type: "string", description: "What the skill is to work on, if it takes arguments." },
    },
    ["skill"],
  ),
  annotations: { read_only: true, sequential: true, idempotent: true },
  replay: "safe",
  async run(input, { host }) {
    if (host.loadSkill === undefined) throw failed("There are no skills here.");
    return host.loadSkill(textOf(input, "skill"), optionalText(input, "args") ?? "");
  },
};
