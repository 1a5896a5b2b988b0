import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHooks, deny } from "tenterhook";
import { defaultTools } from "tenterhook/agent";
import { describe, expect, it } from "vitest";
import { agentOf, scratch, story } from "./support/agents.ts";

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");
const write = (file_path: string, content: string) => ({
  tool_calls: [{ name: "Write", input: { file_path, content } }],
});

describe("MemoryUpdate", () => {
  it("is fired before and after a tool of ours writes a memory file, with hashes", async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    const cwd = scratch();
    hooks.on("MemoryUpdate", ({ file_path, update_type, content_size, previous_hash, new_hash, pending }) => {
      seen.push([
        file_path === join(cwd, "AGENTS.md"),
        update_type,
        content_size,
        previous_hash,
        new_hash,
        pending,
      ]);
    });
    const { agent } = agentOf([write("AGENTS.md", "one"), write("other.md", "x")], {
      hooks,
      cwd,
      tools: defaultTools(),
    });
    await agent.run("go");
    expect(seen).toEqual([
      [true, "created", undefined, undefined, undefined, true],
      [true, "created", 3, undefined, hash("one"), undefined],
    ]);
  });

  it("can be denied before the write", async () => {
    const { agent, hooks, cwd } = agentOf([write("CLAUDE.md", "one")], { tools: defaultTools() });
    hooks.on("MemoryUpdate", ({ pending }) => (pending === true ? deny("hands off") : undefined));
    await agent.run("go");
    expect(story(agent.transcript())[2]).toBe("tool fails: hands off");
    expect(existsSync(join(cwd, "CLAUDE.md"))).toBe(false);
  });

  it.each([
    ["a link to the file", "link.md"],
    ["a link to its folder", "folder/up/AGENTS.md"],
    ["the real path of a workspace that is a link", ""],
  ])("can be denied whichever way the path leads there: %s", async (_, path) => {
    const real = scratch();
    writeFileSync(join(real, "AGENTS.md"), "old");
    symlinkSync("AGENTS.md", join(real, "link.md"));
    mkdirSync(join(real, "folder"));
    symlinkSync("..", join(real, "folder/up"));
    const place = scratch();
    symlinkSync(real, join(place, "workspace"));
    const cwd = path === "" ? join(place, "workspace") : real;
    const { agent, hooks } = agentOf([write(path === "" ? join(real, "AGENTS.md") : path, "new")], {
      tools: defaultTools(),
      cwd,
      workspace: [real],
    });
    hooks.on("MemoryUpdate", ({ pending }) => (pending === true ? deny("hands off") : undefined));
    await agent.run("go");
    expect(story(agent.transcript())[2]).toBe("tool fails: hands off");
    expect(readFileSync(join(real, "AGENTS.md"), "utf8")).toBe("old");
  });

  it("is fired before the batch ends, also when another call of the message made the link", async () => {
    const hooks = createHooks();
    const seen: string[] = [];
    hooks.on("MemoryUpdate", ({ pending, update_type }) => {
      seen.push(`MemoryUpdate ${pending === true ? "pending" : update_type}`);
    });
    hooks.on("PostToolBatch", () => void seen.push("PostToolBatch"));
    hooks.on("Stop", () => void seen.push("Stop"));
    const cwd = scratch();
    writeFileSync(join(cwd, "AGENTS.md"), "old");
    // It must know the file before it may write it.
    const read = { name: "Read", input: { file_path: "AGENTS.md" } };
    const link = { name: "Bash", input: { command: "ln -s AGENTS.md notes.md" } };
    const steps = [
      { tool_calls: [read] },
      { tool_calls: [link, ...write("notes.md", "new").tool_calls] },
      () => {
        seen.push("model");
        return { text: "done" };
      },
    ];
    const { agent } = agentOf(steps, { hooks, cwd, tools: defaultTools() });
    await agent.run("go");
    expect(readFileSync(join(cwd, "AGENTS.md"), "utf8")).toBe("new");
    expect(seen).toEqual([
      "PostToolBatch",
      "MemoryUpdate pending",
      "MemoryUpdate modified",
      "PostToolBatch",
      "model",
      "Stop",
    ]);
  });

  it("is not waited for where a pipe has the name of a memory file", async () => {
    const { agent, hooks, cwd } = agentOf([{ text: "done" }]);
    execFileSync("sh", ["-c", 'mkfifo "$0"', join(cwd, "AGENTS.md")]);
    hooks.on("MemoryUpdate", () => undefined);
    expect(await agent.run("go")).toMatchObject({ text: "done" });
  });

  it("is fired for changes by anybody else, at the latest with the turn's end, and once", async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on("MemoryUpdate", ({ update_type, previous_hash, new_hash }) => {
      seen.push([update_type, previous_hash, new_hash]);
    });
    const cwd = scratch();
    const file = join(cwd, "notes.md");
    const { agent } = agentOf([], { hooks, cwd, context: { memory_files: ["notes.md"] } });
    await agent.run("one");
    writeFileSync(file, "a");
    await agent.run("two");
    writeFileSync(file, "b");
    await agent.run("three");
    rmSync(file);
    await agent.run("four");
    expect(seen).toEqual([
      ["created", undefined, hash("a")],
      ["modified", hash("a"), hash("b")],
      ["deleted", hash("b"), undefined],
    ]);
  });

  it("is heard of while nothing runs, by the watcher", async () => {
    const hooks = createHooks();
    const cwd = scratch();
    const change = new Promise((resolve) => {
      hooks.on("MemoryUpdate", ({ update_type }) => resolve(update_type));
    });
    const { agent } = agentOf([], { hooks, cwd });
    await agent.run("one");
    writeFileSync(join(cwd, "AGENTS.md"), "a");
    expect(await change).toBe("created");
  });
});
