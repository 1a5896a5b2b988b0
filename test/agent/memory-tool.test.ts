import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHooks, deny } from "tenterhook";
import { type AgentOptions, defaultTools } from "tenterhook/agent";
import { describe, expect, it } from "vitest";
import { agentOf, scratch, story } from "./support/agents.ts";

interface Call {
  readonly command: string;
  readonly file_path?: string;
  readonly old_string?: string;
  readonly new_string?: string;
}

/** What the calls answer, one after the other, and the file after them. */
async function remember(
  calls: readonly Call[],
  { text, cwd = scratch(), ...options }: Partial<AgentOptions> & { readonly text?: string } = {},
) {
  const file = join(cwd, "AGENTS.md");
  if (text !== undefined) writeFileSync(file, text);
  const { agent } = agentOf(
    calls.map((call) => ({ tool_calls: [{ name: "Memory", input: { file_path: "AGENTS.md", ...call } }] })),
    { cwd, tools: defaultTools(), ...options },
  );
  await agent.run("go");
  const answers = story(agent.transcript()).filter((line) => line.startsWith("tool "));
  return {
    answers: answers.map((line) => line.replaceAll(cwd, "<cwd>")),
    file: existsSync(file) ? readFileSync(file, "utf8") : undefined,
  };
}

describe("Memory", () => {
  it("makes the file, adds lines, replaces and removes them, and shows what is there", async () => {
    const { answers, file } = await remember([
      { command: "view" },
      { command: "add", new_string: "- Tests: npm test" },
      { command: "add", new_string: "- Style: tabs\n" },
      { command: "add", new_string: "- Old news" },
      { command: "replace", old_string: "tabs", new_string: "spaces" },
      { command: "remove", old_string: "- Old news" },
      { command: "view" },
    ]);
    expect(answers).toEqual([
      "tool answers: AGENTS.md is not there yet; add makes it.",
      ...Array.from({ length: 5 }, () => "tool answers: Changed AGENTS.md."),
      "tool answers: - Tests: npm test\n- Style: spaces\n",
    ]);
    expect(file).toBe("- Tests: npm test\n- Style: spaces\n");
  });

  it.each([
    ["begins a line of its own after a file without one at its end", "one", "one\ntwo\n"],
    ["keeps the line endings of the file", "one\r\n", "one\r\ntwo\r\n"],
  ])("%s", async (_, text, expected) => {
    expect((await remember([{ command: "add", new_string: "two" }], { text })).file).toBe(expected);
  });

  it.each([
    [
      "a file that is none",
      { command: "add", file_path: "a.txt", new_string: "x" },
      "a.txt is no memory file.",
    ],
    ["a file outside", { command: "view", file_path: "../AGENTS.md" }, "outside the workspace"],
    ["text that is not there", { command: "remove", old_string: "zero" }, "String not found"],
    [
      "text that is there twice",
      { command: "replace", old_string: "o", new_string: "x" },
      "String appears 2 times",
    ],
    ["a change to nothing", { command: "add" }, "new_string must be a string."],
  ])("refuses %s", async (_, call, message) => {
    const { answers, file } = await remember([call], { text: "one\ntwo\n" });
    expect(answers[0]).toContain(message);
    expect(file).toBe("one\ntwo\n");
  });

  it("does not follow a link that leads out of the workspace", async () => {
    const outside = join(scratch(), "secret");
    writeFileSync(outside, "secret");
    const cwd = scratch();
    symlinkSync(outside, join(cwd, "AGENTS.md"));
    const { answers } = await remember([{ command: "view" }, { command: "add", new_string: "x" }], { cwd });
    expect(answers.every((answer) => answer.includes("outside the workspace"))).toBe(true);
    expect(readFileSync(outside, "utf8")).toBe("secret");
  });

  it("names the files, those of the options when they have some", async () => {
    const { answers } = await remember([{ command: "view", file_path: undefined as never }], {
      context: { memory_files: ["notes/memory.md"] },
    });
    expect(answers).toEqual(["tool answers: The memory files are: <cwd>/notes/memory.md."]);
  });

  it("refuses to change a file that somebody has changed since it was viewed", async () => {
    const cwd = scratch();
    const hooks = createHooks();
    hooks.on("PostToolUse", ({ tool_input }) => {
      if (tool_input?.command === "view") writeFileSync(join(cwd, "AGENTS.md"), "theirs\n");
    });
    const calls = [{ command: "view" }, { command: "add", new_string: "mine" }];
    const { answers, file } = await remember(calls, { cwd, hooks, text: "one\n" });
    expect(answers[1]).toContain("AGENTS.md changed since it was read.");
    expect(file).toBe("theirs\n");
  });
});

describe("the gates of Memory", () => {
  const add = { command: "add", new_string: "two" };

  it("MemoryUpdate is asked before a change and told after it, and not about a view", async () => {
    const hooks = createHooks();
    const events: unknown[] = [];
    hooks.on("MemoryUpdate", ({ pending, update_type }) => {
      events.push([pending === true, update_type]);
    });
    await remember([{ command: "view" }, add], { hooks, text: "one\n" });
    expect(events).toEqual([
      [true, "modified"],
      [false, "modified"],
    ]);
    hooks.on("MemoryUpdate", () => deny("It is mine."));
    const { answers, file } = await remember([add], { hooks, text: "one\n" });
    expect([answers, file]).toEqual([["tool fails: It is mine."], "one\n"]);
  });

  it("hooks on Edit are asked, and rules for Edit hold", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", { tools: ["Edit"] }, ({ tool_name }) => deny(`No ${tool_name}.`));
    expect((await remember([add], { hooks })).answers).toEqual(["tool fails: No Memory."]);
    const denied = await remember([add], { permissions: { deny: ["Edit(AGENTS.md)"], mode: "bypass" } });
    expect(denied.file).toBeUndefined();
    const unread = await remember([{ command: "view" }], {
      text: "one\n",
      permissions: { deny: ["Read(AGENTS.md)"], mode: "bypass" },
    });
    expect(unread.answers[0]).toMatch(/^tool fails: .*Read\(AGENTS\.md\)/);
    const allowed = await remember([add], { permissions: { allow: ["Edit(AGENTS.md)"] } });
    expect(allowed.file).toBe("two\n");
  });

  it("a human is asked about a change, with its difference, and not about a view", async () => {
    const previews: unknown[] = [];
    const { file } = await remember([{ command: "view" }, add], {
      text: "one\n",
      permissions: {},
      approval: ({ preview }) => {
        previews.push(preview);
        return true;
      },
    });
    expect(previews).toEqual(["--- AGENTS.md\n+++ AGENTS.md\n@@ -1,1 +1,2 @@\n one\n+two"]);
    expect(file).toBe("one\ntwo\n");
  });

  it("in plan mode it can be viewed and not changed", async () => {
    const { answers } = await remember([{ command: "view" }, add], {
      text: "one\n",
      permissions: {},
      mode: "plan",
    });
    expect(answers[0]).toBe("tool answers: one\n");
    expect(answers[1]).toMatch(/^tool fails: Memory is not read-only/);
  });

  it("a hook that rewrites a view to a change does not get around the permissions", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", () => ({ type: "rewrite", next: { file_path: "AGENTS.md", ...add } }) as const);
    const { file } = await remember([{ command: "view" }], { hooks, permissions: {}, mode: "dont-ask" });
    expect(file).toBeUndefined();
  });
});
