import { isRecord } from "../../../core/base/json.ts";
import type { Tool } from "../../../core/contracts/tool.ts";
import { failed, inputSchema, textField } from "../input.ts";

const DESCRIPTION = `Writes your work list for the user to see. Each call replaces the whole list.

- Use it for work of three steps or more; keep one item in_progress while you work on it, and mark it completed as soon as it is done.`;

const MARKS: Readonly<Record<string, string>> = { pending: "[ ]", in_progress: "[>]", completed: "[x]" };

export const todoWriteTool: Tool = {
  name: "TodoWrite",
  description: DESCRIPTION,
  input_schema: inputSchema(
    {
      todos: {
        type: "array",
        maxItems: 200,
        description: "The whole list, in order.",
        items: {
          type: "object",
          properties: {
            content: textField("What is to be done: Run the tests."),
            status: { enum: ["pending", "in_progress", "completed"], description: "How far it is." },
            activeForm: {
              type: "string",
              description: "The same while it is being done: Running the tests.",
            },
          },
          required: ["content", "status"],
        },
      },
    },
    ["todos"],
  ),
  annotations: { read_only: true, sequential: true, idempotent: true },
  replay: "safe",
  async run({ todos }, { host }) {
    if (host.setTodos === undefined) throw failed("There is no work list here.");
    const list = Array.isArray(todos) ? todos : [];
    host.setTodos(list);
    const lines = list
      .filter(isRecord)
      .map(({ status, content }) => `${MARKS[String(status)] ?? "[ ]"} ${content}`);
    return {
      content:
        lines.length === 0 ? "The work list is empty now." : `The work list is now:\n${lines.join("\n")}`,
      data: { todos: list },
    };
  },
};
