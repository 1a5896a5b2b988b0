import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseScript, scriptedFileModel } from "../../../src/agent/model/script-file.ts";
import { thrown } from "../../support/thrown.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tenterhook-script-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const STEPS = [
  { text: "I look.", tool_calls: [{ name: "Read", input: { file_path: "a.txt" }, id: "r1" }], delay_ms: 1 },
  { error: { status: 529, message: "Overloaded" } },
  { text: "" },
];

it("reads YAML and JSON alike", () => {
  const yaml = `# a story
- text: I look.
  tool_calls:
    - { name: Read, input: { file_path: a.txt }, id: r1 }
  delay_ms: 1
- error: { status: 529, message: Overloaded }
- text: ""
`;
  expect(parseScript("story.yaml", yaml)).toEqual(STEPS);
  expect(parseScript("story.json", JSON.stringify(STEPS))).toEqual(STEPS);
});

it.each([
  ["text: x", "s.yaml:1:1: A script is a list of steps, one for each call of the model."],
  [
    "- text: x\n- tool_calls:\n    - name: 5\n      input: {}\n",
    "s.yaml:3:13: Step 2: tool_calls[0].name is 5; it must be a non-empty string.",
  ],
  [
    "- text: x\n  tols: []\n",
    's.yaml:2:9: Step 1: It has the unknown key "tols". Known keys: text, tool_calls, error, delay_ms.',
  ],
  ["- text: x\n- delay_ms: 5\n", "s.yaml:2:3: Step 2: It needs text, tool_calls or error."],
  ["- text: [\n", /^s\.yaml:\d+:\d+: .+\.$/],
  ["- text: x\n  text: y\n", /^s\.yaml:2:3: .*unique.*\.$/],
  ["- text: !!js/function x\n", /^s\.yaml:1:9: .*tag.*\.$/],
])("says where a script is wrong: %j", (text, message) => {
  expect(thrown(() => parseScript("s.yaml", text))).toEqual([
    "bad_script",
    typeof message === "string" ? message : expect.stringMatching(message),
  ]);
});

it("plays a file, and names one that can't be read", async () => {
  const file = join(folder, "story.yaml");
  await writeFile(file, "- text: Hello.\n");
  const model = await scriptedFileModel(file);
  expect([model.provider, model.modelId]).toEqual(["scripted", "story.yaml"]);
  expect((await model.doGenerate({ prompt: [] })).content).toEqual([{ type: "text", text: "Hello." }]);
  const missing = join(folder, "missing.yaml");
  await expect(scriptedFileModel(missing)).rejects.toMatchObject({
    code: "bad_script",
    message: `${missing}: The script can't be read (ENOENT).`,
  });
  await expect(scriptedFileModel(folder)).rejects.toMatchObject({
    message: `${folder}: The script can't be read: it is a folder.`,
  });
});
