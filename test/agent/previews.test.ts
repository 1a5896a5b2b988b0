import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHooks } from "tenterhook";
import { type ApprovalRequest, defaultTools, type Tool } from "tenterhook/agent";
import { memoryStore } from "tenterhook/stores";
import { describe, expect, it } from "vitest";
import { questionLines } from "../../src/cli/commands/agent/run/result-lines.ts";
import { callText } from "../../src/monitor/decisions/call-text.ts";
import { wholeCall } from "../../src/terminal/cells/call-line.ts";
import { agentOf, echo, says, scratch } from "./support/agents.ts";

const EDIT = {
  name: "Edit",
  input: { file_path: "a.txt", old_string: "two", new_string: "2" },
};
const DIFFERENCE = "--- a.txt\n+++ a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three";

function folderWith(text: string): string {
  const cwd = scratch();
  writeFileSync(join(cwd, "a.txt"), text);
  return cwd;
}

/** What `approval` is asked about a call. */
async function asked(
  call: { readonly name: string; readonly input: Readonly<Record<string, unknown>> },
  { cwd = scratch(), tools = defaultTools() }: { cwd?: string; tools?: readonly Tool[] },
): Promise<ApprovalRequest | undefined> {
  let request: ApprovalRequest | undefined;
  const { agent } = agentOf([{ tool_calls: [call] }], {
    cwd,
    tools,
    permissions: {},
    approval: (one) => {
      request = one;
      return false;
    },
  });
  await agent.run("go");
  return request;
}

describe("a human who is asked about a change", () => {
  it("sees the difference that an Edit makes, in its place in the file", async () => {
    const cwd = folderWith("one\ntwo\nthree\n");
    expect(await asked(EDIT, { cwd })).toMatchObject({ tool_name: "Edit", preview: DIFFERENCE });
    expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("one\ntwo\nthree\n");
  });

  it("sees what a Write replaces, and that a file is new", async () => {
    const write = (file_path: string) => ({ name: "Write", input: { file_path, content: "one\n2\n" } });
    const cwd = folderWith("one\ntwo\n");
    const replaced = await asked(write("a.txt"), { cwd });
    expect(replaced?.preview).toBe("--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2");
    const made = await asked(write("b.txt"), { cwd });
    expect(made?.preview).toBe("--- /dev/null\n+++ b.txt\n@@ -1,0 +1,2 @@\n+one\n+2");
  });

  it.each([
    ["can't be applied", "three\n", EDIT],
    ["leads out of the workspace", "two\n", { ...EDIT, input: { ...EDIT.input, file_path: "../a.txt" } }],
  ])("sees the input of a change that %s, and no preview", async (_, text, call) => {
    const request = await asked(call, { cwd: folderWith(text) });
    expect([request?.tool_input, request?.preview]).toEqual([call.input, undefined]);
  });

  it("sees the preview of a tool of one's own, and is asked without it when it fails or is no text", async () => {
    const own = (preview: unknown): Tool => ({ ...echo, annotations: {}, preview: preview as never });
    const previews = [() => "Says it aloud.", () => 7, () => Promise.reject(new Error("no"))];
    const shown = previews.map((preview) => asked(says("a"), { tools: [own(preview)] }));
    expect((await Promise.all(shown)).map((request) => request?.preview)).toEqual([
      "Says it aloud.",
      undefined,
      undefined,
    ]);
  });

  it("sees it too where a hook asks, and where the agent waits for the answer in another process", async () => {
    const cwd = folderWith("one\ntwo\nthree\n");
    const hooks = createHooks();
    const prompts: unknown[] = [];
    hooks.on("AgentPrompt", ({ question }) => {
      prompts.push(question);
    });
    const { agent } = agentOf([{ tool_calls: [EDIT] }, { text: "done" }], {
      cwd,
      hooks,
      tools: defaultTools(),
      permissions: {},
      suspend: true,
      store: memoryStore(),
    });
    await agent.run("go");
    expect(prompts).toMatchObject([{ tool_name: "Edit", preview: DIFFERENCE }]);
    const waiting = agent.waiting_for;
    expect(waiting).toMatchObject({ type: "permission", preview: DIFFERENCE });
    expect(waiting && questionLines(waiting)[0]).toBe(`May Edit run?\n${DIFFERENCE}`);
    // The file is another one meanwhile; the answer is for the same call.
    writeFileSync(join(cwd, "a.txt"), "zero\none\ntwo\nthree\n");
    await agent.continue({ tool_use_id: waiting?.tool_use_id ?? "", approval: "yes" });
    expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("zero\none\n2\nthree\n");
  });
});

it("the terminal shows the difference below the file, and says how many lines it leaves out", () => {
  const { input } = EDIT;
  expect(wholeCall("Edit", input, "/project", DIFFERENCE).slice(0, 3)).toEqual([
    "a.txt",
    "  @@ -1,3 +1,3 @@",
    "   one",
  ]);
  const long = Array.from({ length: 130 }, (_, at) => `+${at}`).join("\n");
  expect(wholeCall("Edit", input, "/project", long).at(-1)).toBe("  … 30 more");
});

describe("the monitor shows a change as people read it", () => {
  it.each([
    ["by the tool's preview", "Edit", EDIT.input, DIFFERENCE, `Edit: a.txt\n${DIFFERENCE}`],
    ["by the input of another agent's edit", "Edit", EDIT.input, undefined, "Edit: a.txt\n- two\n+ 2"],
    [
      "by each of several edits",
      "MultiEdit",
      {
        file_path: "a.txt",
        edits: [
          { old_string: "a\nb", new_string: "" },
          { old_string: "c", new_string: "d" },
        ],
      },
      undefined,
      "MultiEdit: a.txt\n- a\n- b\n- c\n+ d",
    ],
    [
      "by what a file is to contain",
      "write_file",
      { file_path: "b", content: "x\ny\n" },
      undefined,
      "write_file: b\n+ x\n+ y",
    ],
    ["as it is when it is something else", "Edit", { path: "a" }, undefined, "Edit: a"],
  ])("%s", (_, tool, input, preview, text) => expect(callText(tool, input, preview)).toBe(text));
});
