import { describe, expect, it } from "vitest";
import { newProject } from "./support/project.ts";

const HOOK = `hooks:
  definitions:
    - name: judge
      type: llm
      prompt: Is {{tool}} fine?
      matcher: { events: [PreToolUse] }
`;

/** What `validate` says in a project that nobody trusts. */
async function findings(text: string): Promise<string> {
  const project = newProject();
  project.write(".tenterhook/hooks.yaml", text);
  const { stdout } = await project.run(["check", "--json"]);
  return stdout;
}

describe("validate of a project that is not trusted", () => {
  it.each([
    ["models.judge", "models: { judge: scripted:missing.json }\n", ""],
    ["hooks.llm_model", "", "  llm_model: scripted:missing.json\n"],
  ])("knows the model that %s names, and says what is wrong with it", async (_, before, after) => {
    const found = await findings(`${before}${HOOK}${after}`);
    expect(found).not.toContain("No model is named");
    expect(found).toContain("missing.json");
  });

  it("says that none is named where none is", async () => {
    expect(await findings(HOOK)).toContain("No model is named");
  });
});

describe("a prompt with a field that its events do not have", () => {
  it.each([
    ["llm", "prompt: Is {{foo.bar}} fine?", 5],
    ["prompt", "prompt: |\n        Look.\n        Is {{tol}} fine?", 7],
    ["agent", "prompt: Is {{result}} fine?", 5],
    ["llm", "prompt: Is {{args.comand}} fine?", 5],
  ])("is an error of validate at its line: %s", async (type, prompt, line) => {
    const text = HOOK.replace("type: llm", `type: ${type}`).replace("prompt: Is {{tool}} fine?", prompt);
    const { errors } = JSON.parse(await findings(text));
    expect(errors).toMatchObject([{ line, message: expect.stringMatching(/the template names \{\{/) }]);
  });

  it("is none on an agent's own event, which may have any field", async () => {
    const text = HOOK.replace("PreToolUse", "claude:ConfigChange").replace("{{tool}}", "{{source}}");
    expect(JSON.parse(await findings(text)).errors).toEqual([]);
  });
});

it("an unclosed template in the block of a prompt is an error at its own line, also inside a composition", async () => {
  const text = `hooks:
  definitions:
    - name: judge
      matcher: { events: [PreToolUse] }
      all:
        - type: prompt
          prompt: |
            Look at this.
            Is {{tool fine?
`;
  const { errors } = JSON.parse(await findings(text));
  expect(errors).toMatchObject([
    { line: 9, message: expect.stringContaining("expected | and a filter, or }}") },
  ]);
});
