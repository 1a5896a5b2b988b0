import { existsSync } from "node:fs";
import { join } from "node:path";
import { createHooks, deny, rewrite } from "tenterhook";
import { hookMatchers, testHooks } from "tenterhook/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import "./matcher-types.ts";
import { project } from "./support.ts";

expect.extend(hookMatchers);

const WRITE = { tool_name: "Write", tool_input: { file_path: "a.ts", content: "x" } };

describe("the hooks of a folder", () => {
  it("decide as they would for an agent, and nothing is started", async () => {
    const { folder, environment } = project();
    const hooks = await testHooks(folder, { environment });
    expect(await hooks.bash("git push --force")).toMatchObject({
      action: "deny",
      reason: "Use --force-with-lease.",
      hook: "no-force-push",
      rule: 'command runs "git push --force" -> deny("Use --force-with-lease.")',
      not_evaluated: [],
      event: { hook_event_name: "PreToolUse", cwd: folder, tool_input: { command: "git push --force" } },
    });
    expect(await hooks.fire(WRITE)).toMatchObject({ action: "continue", not_evaluated: ["lint"] });
    await hooks.close();
    expect(existsSync(join(folder, "ran"))).toBe(false);
  });

  it("are asked about the payload of an agent", async () => {
    const { folder, environment } = project();
    const hooks = await testHooks(folder, { environment });
    const payload = {
      hook_event_name: "BeforeTool",
      session_id: "g",
      cwd: "/srv",
      tool_name: "run_shell_command",
      tool_input: { command: "git push --force" },
    };
    expect(await hooks.fire(payload, { agent: "gemini" })).toMatchObject({
      action: "deny",
      event: { hook_event_name: "PreToolUse", session_id: "g", cwd: "/srv" },
    });
  });

  it("have stubs, for all events or for one", async () => {
    const { folder, environment } = project();
    const stubs = { lint: { action: "deny", reason: "Use const." } };
    const hooks = await testHooks(folder, { environment, stubs });
    expect(await hooks.fire(WRITE)).toDeny("Use const.");
    expect(await hooks.fire(WRITE, { stubs: { lint: "" } })).toContinue();
  });

  it("share a session in a sequence, and have a new one otherwise", async () => {
    const { folder, environment } = project();
    const hooks = await testHooks(folder, { environment });
    const prompt = { hook_event_name: "UserPromptSubmit", prompt: "hello" };
    const texts = (decisions: readonly { readonly context: readonly { readonly text: string }[] }[]) =>
      decisions.map((decision) => decision.context.map(({ text }) => text));
    expect(texts(await hooks.sequence([prompt, "ls", prompt]))).toEqual([["Read AGENTS.md."], [], []]);
    expect(texts([await hooks.fire(prompt), await hooks.fire(prompt)])).toEqual([
      ["Read AGENTS.md."],
      ["Read AGENTS.md."],
    ]);
  });

  it("are asked one after another, however they are called", async () => {
    const { folder, environment } = project();
    const hooks = await testHooks(folder, { environment });
    const lines = ["git push --force", "ls", "ls staging", "./deploy.sh"];
    const decisions = await Promise.all(lines.map((line) => hooks.bash(line)));
    expect(decisions.map(({ action, event }) => [action, event.tool_input])).toEqual([
      ["deny", { command: "git push --force" }],
      ["continue", { command: "ls" }],
      ["ask", { command: "ls staging" }],
      ["continue", { command: "./deploy.sh" }],
    ]);
    await expect(hooks.fire({ hook_event_name: "Nonsense" })).rejects.toThrow(/Nonsense/);
    expect(await hooks.bash("ls")).toContinue();
  });
});

describe("the hooks of a file", () => {
  it("are those of no other file", async () => {
    const { file, folder, environment } = project({
      "strict.yaml":
        "hooks: { definitions: [{ name: none, type: inline, matcher: { events: [PreToolUse] }, rules: 'command exists -> deny(\"No.\")' }] }",
    });
    expect(await (await testHooks(file, { environment })).bash("ls")).toContinue();
    expect(await (await testHooks(join(folder, "strict.yaml"), { environment })).bash("ls")).toDeny("No.");
  });

  it("start no program, whatever is asked for", async () => {
    const { file, environment } = project();
    await expect(testHooks(file, { environment, run: true })).rejects.toMatchObject({
      code: "invalid_option",
      message: expect.stringContaining("Name its folder."),
    });
  });

  it("are refused at the line that is wrong", async () => {
    const { file, environment } = project({
      ".tenterhook/hooks.yaml": "hooks:\n  definitions: [{ nam: a }]\n",
    });
    await expect(testHooks(file, { environment })).rejects.toMatchObject({ code: "config_invalid" });
    await expect(testHooks("no/such/file")).rejects.toMatchObject({ code: "invalid_option" });
  });
});

describe("a hook set", () => {
  it("is asked as it is", async () => {
    const set = createHooks();
    onTestFinished(() => set.close());
    set.on("PreToolUse", { name: "guard" }, ({ tool_input }) =>
      tool_input.command === "rm" ? deny("No.") : undefined,
    );
    const hooks = await testHooks(set, { cwd: "/srv" });
    expect(await hooks.bash("rm")).toMatchObject({ action: "deny", hook: "guard", event: { cwd: "/srv" } });
    expect(await hooks.bash("ls")).toContinue();
  });

  it("takes neither stubs nor run, and says so", async () => {
    const set = createHooks();
    await expect(testHooks(set, { run: true })).rejects.toMatchObject({ code: "invalid_option" });
    const hooks = await testHooks(set, { stubs: { lint: "" } });
    await expect(hooks.bash("ls")).rejects.toMatchObject({ code: "invalid_option" });
  });

  it("shows in a failing test why a hook failed", async () => {
    const set = createHooks();
    set.on("PreToolUse", { name: "guard" }, () => {
      throw new Error("no such table");
    });
    const decision = await (await testHooks(set)).bash("ls");
    expect(() => expect(decision).toContinue()).toThrow(/Hooks: guard failed \(.*no such table.*\)$/);
  });

  it("may rewrite whatever an event is about", async () => {
    const set = createHooks();
    set.on("UserPromptSubmit", () => rewrite("Please."));
    set.on("PostToolUse", () => rewrite({ lines: ["b"], count: 1 }));
    const hooks = await testHooks(set);
    expect(await hooks.fire({ hook_event_name: "UserPromptSubmit", prompt: "!" })).toRewriteTo("Please.");
    const result = { hook_event_name: "PostToolUse", tool_name: "Read", tool_input: {}, tool_response: "a" };
    expect(await hooks.fire(result)).toRewriteTo({ lines: ["b"] });
  });
});
