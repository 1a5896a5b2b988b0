import { describe, expect, it } from "vitest";
import { askUserQuestionTool } from "../../../src/agent/tools/agent/ask-user-question.ts";
import { enterPlanModeTool, exitPlanModeTool } from "../../../src/agent/tools/agent/plan-mode.ts";
import { taskTool } from "../../../src/agent/tools/agent/task.ts";
import { todoWriteTool } from "../../../src/agent/tools/agent/todo-write.ts";
import { defaultTools } from "../../../src/agent/tools/default-tools.ts";
import type { TaskRequest, ToolHost, UserQuestion } from "../../../src/core/contracts/tool.ts";
import { canonicalToolName } from "../../../src/core/match/tool-names.ts";
import { checkInput } from "../../../src/node/schema/check-input.ts";
import { workspace } from "./support/workspace.ts";

describe("the tools of an agent", () => {
  it("are these, under names that hooks know", () => {
    const names = defaultTools().map(({ name }) => name);
    expect(names).toEqual([
      "Read",
      "Write",
      "Edit",
      "Bash",
      "Glob",
      "Grep",
      "WebFetch",
      "TodoWrite",
      "AskUserQuestion",
      "EnterPlanMode",
      "ExitPlanMode",
      "Task",
      "Skill",
      "Memory",
      "Monitor",
      "TaskStop",
    ]);
    expect(names.map(canonicalToolName)).toEqual(names);
  });

  it("describe themselves and every field of their input", () => {
    for (const { description, input_schema, annotations } of defaultTools()) {
      expect(description.length).toBeGreaterThan(80);
      expect(annotations).toBeDefined();
      expect(checkInput(FIELDS_DESCRIBED, input_schema)).toBeUndefined();
    }
  });

  it("which change something are not marked read-only", () => {
    const changing = defaultTools().filter(({ annotations }) => annotations?.read_only !== true);
    expect(changing.map(({ name }) => name)).toEqual(["Write", "Edit", "Bash", "Memory"]);
  });
});

const FIELDS_DESCRIBED = {
  required: ["type", "properties", "required", "additionalProperties"],
  properties: {
    type: { const: "object" },
    additionalProperties: { const: false },
    properties: { additionalProperties: { required: ["description"] } },
  },
};

const hosted = (host: Partial<ToolHost>) => ({ host: { mode: "default", ...host } satisfies ToolHost });

describe("TodoWrite", () => {
  const todos = [
    { content: "one", status: "completed" },
    { content: "two", status: "in_progress", activeForm: "doing two" },
    { content: "three", status: "pending" },
  ];

  it("TodoWrite replaces the work list", async () => {
    const lists: unknown[] = [];
    const { run } = workspace({}, hosted({ setTodos: (list) => lists.push(list) }));
    expect(await run(todoWriteTool, { todos })).toEqual({
      content: "The work list is now:\n[x] one\n[>] two\n[ ] three",
      data: { todos },
    });
    expect(await run(todoWriteTool, { todos: [] })).toMatchObject({ content: "The work list is empty now." });
    expect(lists).toEqual([todos, []]);
  });

  it("TodoWrite says when there is no list", async () => {
    expect(await workspace().run(todoWriteTool, { todos })).toEqual({
      content: "There is no work list here.",
      is_error: true,
    });
  });
});

describe("AskUserQuestion", () => {
  const input = {
    questions: [
      {
        question: "Which?",
        header: "Choice",
        options: [{ label: "A", description: "the first" }, { label: "B" }],
      },
      { question: "What else?", multiSelect: true },
    ],
  };

  it("AskUserQuestion asks and returns the answers", async () => {
    let asked: readonly UserQuestion[] = [];
    const askUser: ToolHost["askUser"] = async (questions) => {
      asked = questions;
      return { "Which?": "B" };
    };
    const { run } = workspace({}, hosted({ askUser }));
    expect(checkInput(askUserQuestionTool.input_schema, input)).toBeUndefined();
    expect(await run(askUserQuestionTool, input)).toEqual({
      content: "The user answered:\n\nWhich?\nB\n\nWhat else?\n(no answer)",
      data: { answers: { "Which?": "B" } },
    });
    expect(asked).toEqual([
      {
        question: "Which?",
        header: "Choice",
        options: [{ label: "A", description: "the first" }, { label: "B" }],
        multi_select: false,
      },
      { question: "What else?", multi_select: true },
    ]);
  });

  it("takes nothing that every object has for an answer", async () => {
    const { run } = workspace({}, hosted({ askUser: async () => ({}) }));
    expect(await run(askUserQuestionTool, { questions: [{ question: "constructor" }] })).toMatchObject({
      content: "The user answered:\n\nconstructor\n(no answer)",
    });
  });

  it.each([[undefined], [async () => undefined]])("says when nobody can be asked", async (askUser) => {
    const { run } = workspace({}, hosted(askUser === undefined ? {} : { askUser }));
    expect(await run(askUserQuestionTool, input)).toEqual({
      content: "Nobody can be asked here. Decide yourself, and say in your answer what you assumed.",
      is_error: true,
    });
  });
});

describe("plan mode", () => {
  it("is entered, and left for the mode before when the user agrees to the plan", async () => {
    const changes: unknown[] = [];
    let mode: ToolHost["mode"] = "accept-edits";
    let agreed = true;
    const host: ToolHost = {
      get mode() {
        return mode;
      },
      mode_before: "accept-edits",
      async setMode(next, plan) {
        changes.push([next, plan]);
        if (agreed) mode = next;
        return agreed ? { agreed } : { agreed, feedback: "smaller steps" };
      },
    };
    const { outputOf } = workspace({}, { host });
    expect(await outputOf(exitPlanModeTool, { plan: "p" })).toBe(
      "You are not in plan mode; carry on with the work.",
    );
    expect(await outputOf(enterPlanModeTool, {})).toMatch(/^You are in plan mode:/);
    expect(await outputOf(enterPlanModeTool, {})).toBe("You are in plan mode already.");
    agreed = false;
    expect(await outputOf(exitPlanModeTool, { plan: "p1" })).toBe(
      "The user did not agree to the plan; you are still in plan mode. They said: smaller steps",
    );
    agreed = true;
    expect(await outputOf(exitPlanModeTool, { plan: "p2" })).toBe(
      "The user agreed to the plan. You can carry it out now.",
    );
    expect(changes).toEqual([
      ["plan", undefined],
      ["accept-edits", "p1"],
      ["accept-edits", "p2"],
    ]);
  });

  it("says when the mode can't be changed", async () => {
    expect(await workspace().outputOf(enterPlanModeTool, {})).toBe("The mode can't be changed here.");
  });
});

describe("Task", () => {
  const input = { agent_type: "explorer", task: "look", description: "Look around" };

  it("Task starts a subagent", async () => {
    const requests: TaskRequest[] = [];
    const startTask: ToolHost["startTask"] = async (request) => {
      requests.push(request);
      return { content: "found", data: { agent_id: "a2" } };
    };
    const { run } = workspace({}, hosted({ startTask }));
    expect(await run(taskTool, input)).toEqual({ content: "found", data: { agent_id: "a2" } });
    await run(taskTool, { ...input, resume_agent_id: "a2", run_in_background: true });
    expect(requests).toEqual([
      { ...input, run_in_background: false },
      { ...input, resume_agent_id: "a2", run_in_background: true },
    ]);
  });

  it("Task says when there are no subagents", async () => {
    expect(await workspace().outputOf(taskTool, input)).toBe(
      "Subagents are not available here. Do the task yourself.",
    );
  });
});
