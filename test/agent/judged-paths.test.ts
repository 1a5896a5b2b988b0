import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHooks, deny } from "tenterhook";
import { Agent, defaultTools, scriptedModel, type Tool } from "tenterhook/agent";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { story } from "./support/agents.ts";

/** A workspace with a locked folder, and a tool that makes two links into it. */
function workspace() {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, "locked"));
  writeFileSync(join(cwd, "locked/key.txt"), "the key");
  const links: Tool = {
    name: "Links",
    description: "Makes links.",
    input_schema: { type: "object", properties: {} },
    run: async () => {
      symlinkSync("locked/key.txt", join(cwd, "notes.txt"));
      symlinkSync("locked", join(cwd, "drafts"));
      return { content: "made" };
    },
  };
  const model = scriptedModel([
    {
      tool_calls: [
        { name: "Links", input: {} },
        { name: "Read", input: { file_path: join(cwd, "notes.txt") } },
        { name: "Write", input: { file_path: join(cwd, "drafts/new.txt"), content: "x" } },
        { name: "Bash", input: { command: "cat notes.txt" } },
      ],
    },
  ]);
  return { cwd, model, tools: [...defaultTools(), links] };
}

function results(agent: Agent): readonly string[] {
  return story(agent.transcript()).filter((line) => line.startsWith("tool "));
}

describe("a call whose path was made a link by another call of its message", () => {
  it("is refused by the rule for where it leads now", async () => {
    const given = workspace();
    const deny = ["Read(locked/**)", "Edit(locked/**)"];
    const agent = new Agent({ ...given, permissions: { mode: "bypass", deny } });
    await agent.run("go");
    expect(results(agent)).toEqual([
      "tool answers: made",
      "tool fails: Read is denied by Read(locked/**).",
      "tool fails: Write is denied by Edit(locked/**).",
      "tool fails: Bash is denied by Read(locked/**).",
    ]);
    expect(existsSync(join(given.cwd, "locked/new.txt"))).toBe(false);
    await agent.close();
  });

  it("is judged by hooks once more", async () => {
    const { cwd, model, tools } = workspace();
    const hooks = createHooks();
    const matcher = { path_patterns: ["**/locked/**"] };
    hooks.on("PreToolUse", { name: "lock", matcher }, () => deny("It is locked."));
    const agent = new Agent({
      cwd,
      model,
      tools: tools.filter(({ name }) => name !== "Bash"),
      hooks,
      mode: "bypass",
    });
    await agent.run("go");
    expect(results(agent)).toEqual([
      "tool answers: made",
      "tool fails: It is locked.",
      "tool fails: It is locked.",
      expect.stringContaining('There is no tool "Bash".'),
    ]);
    expect(readFileSync(join(cwd, "locked/key.txt"), "utf8")).toBe("the key");
    expect(existsSync(join(cwd, "locked/new.txt"))).toBe(false);
    await agent.close();
  });
});
