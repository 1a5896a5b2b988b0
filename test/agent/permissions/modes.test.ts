import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { PermissionMode } from "../../../src/core/contracts/tool.ts";
import type { RequestedCall } from "../../../src/handlers/permissions/permission-types.ts";
import { createPermissions } from "../../../src/handlers/permissions/permissions.ts";
import { actionOf, bash, call, OUTSIDE, ports, WORKSPACE } from "./support/permitted.ts";

const write = (file_path: string) => call("Write", { file_path, content: "" });

describe("without a rule the mode decides", () => {
  const MODES: readonly PermissionMode[] = ["default", "plan", "accept-edits", "dont-ask", "bypass"];
  it.each<readonly [RequestedCall, readonly string[]]>([
    [call("Read", { file_path: "src/a.ts" }), ["allow", "allow", "allow", "allow", "allow"]],
    [call("Read", { file_path: join(OUTSIDE, "x") }), ["ask", "ask", "ask", "deny", "allow"]],
    [call("Read", { file_path: "out/x" }), ["ask", "ask", "ask", "deny", "allow"]],
    [call("Read", { file_path: "../elsewhere/x" }), ["ask", "ask", "ask", "deny", "allow"]],
    [call("Grep", { pattern: "x" }), ["allow", "allow", "allow", "allow", "allow"]],
    [call("Grep", { pattern: "x" }, { cwd: OUTSIDE }), ["ask", "ask", "ask", "deny", "allow"]],
    [call("Glob", { pattern: "/etc/*" }), ["ask", "ask", "ask", "deny", "allow"]],
    [call("TodoWrite", { todos: [] }), ["allow", "allow", "allow", "allow", "allow"]],
    [call("WebFetch", { url: "https://example.com" }), ["ask", "ask", "ask", "deny", "allow"]],
    [write("src/b.ts"), ["ask", "deny", "allow", "deny", "allow"]],
    [write(join(OUTSIDE, "x")), ["ask", "deny", "ask", "deny", "allow"]],
    [write("out/x"), ["ask", "deny", "ask", "deny", "allow"]],
    [write(".git/hooks/pre-commit"), ["ask", "deny", "ask", "deny", "allow"]],
    [write(".tenterhook/hooks.yaml"), ["ask", "deny", "ask", "deny", "allow"]],
    [call("apply_patch", { input: "unreadable" }), ["ask", "deny", "ask", "deny", "allow"]],
    [bash("ls"), ["ask", "deny", "ask", "deny", "allow"]],
    [call("mcp__x__y", {}), ["ask", "deny", "ask", "deny", "allow"]],
    [
      call("mcp__x__y", { path: "/etc/x" }, { annotations: { read_only: true } }),
      ["ask", "ask", "ask", "deny", "allow"],
    ],
  ])("%j: %j", async (asked, expected) => {
    expect(await Promise.all(MODES.map((mode) => actionOf({ mode }, asked)))).toEqual(expected);
  });
});

describe("accept-edits asks about files that decide what an agent may do, or that run by themselves", () => {
  it.each([
    ".git/config",
    ".GIT/hooks/pre-commit",
    ".tenterhook/hooks.yaml",
    ".agent/hook.toml",
    ".mcp.json",
    ".claude/settings.local.json",
    ".codex/hooks.json",
    ".codex/config.toml",
    ".gemini/settings.json",
    ".cursor/hooks.json",
    ".cursor/mcp.json",
    ".windsurf/hooks.json",
    ".kiro/hooks/a.json",
    ".qwen/settings.json",
    ".factory/hooks.json",
    ".opencode/plugins/a.ts",
    ".amp/plugins/a.ts",
    ".agents/plugins/a/hooks/hooks.json",
    ".clinerules/hooks/PreToolUse",
    ".copilot/settings.json",
    ".github/hooks/a.json",
    ".github/copilot/settings.json",
    ".devin/hooks.v1.json",
    ".openhands/hooks.json",
    ".vibe/hooks.toml",
    "packages/app/.husky/pre-commit",
    ".vscode/tasks.json",
    ".idea/workspace.xml",
    ".devcontainer/devcontainer.json",
    ".envrc",
    "app/.envrc",
    "lefthook.yml",
    ".lefthook.toml",
    ".pre-commit-config.yaml",
    ".npmrc",
    ".bashrc",
  ])("%s", async (path) => {
    expect(await actionOf({ mode: "accept-edits" }, write(path))).toBe("ask");
  });

  it.each([
    "package.json",
    ".github/workflows/ci.yml",
    ".gitignore",
    "src/git/hooks.ts",
    "src/hooks/index.ts",
    "docs/lefthook.yml.md",
    ".env.example",
    "cursor/a.ts",
  ])("and not about %s", async (path) => {
    expect(await actionOf({ mode: "accept-edits" }, write(path))).toBe("allow");
  });
});

describe("rules and modes", () => {
  it("an explicit ask is asked in bypass and refused in dont-ask", async () => {
    expect(await actionOf({ mode: "bypass", ask: ["Write"] }, write("a"))).toBe("ask");
    expect(await actionOf({ mode: "dont-ask", ask: ["Write"], allow: ["Write"] }, write("a"))).toBe("deny");
  });

  it("an allow holds in dont-ask, and not in plan for what changes something", async () => {
    expect(await actionOf({ mode: "dont-ask", allow: ["Write"] }, write("a"))).toBe("allow");
    expect(await actionOf({ mode: "plan", allow: ["Write", "Bash"] }, write("a"))).toBe("deny");
    expect(await actionOf({ mode: "plan", allow: ["Read"] }, call("Read", { file_path: "/etc/hosts" }))).toBe(
      "allow",
    );
  });

  it("deny goes before ask, ask before allow", async () => {
    const all = { deny: ["Bash(rm:*)"], ask: ["Bash(git push:*)"], allow: ["Bash"] };
    expect(await actionOf(all, bash("git push; rm x"))).toBe("deny");
    expect(await actionOf(all, bash("ls; git push"))).toBe("ask");
    expect(await actionOf(all, bash("ls"))).toBe("allow");
  });

  it("tools of servers are named one by one, by server or by glob", async () => {
    const asked = call("mcp__github__create_issue", {});
    for (const rule of ["mcp__github__create_issue", "mcp__github", "mcp__github__*", "mcp__*"]) {
      expect(await actionOf({ allow: [rule] }, asked)).toBe("allow");
      expect(await actionOf({ mode: "bypass", deny: [rule] }, asked)).toBe("deny");
    }
    for (const rule of ["mcp__git", "mcp__github__create", "github", "create_issue"]) {
      expect(await actionOf({ allow: [rule] }, asked)).toBe("ask");
      expect(await actionOf({ mode: "bypass", deny: [rule] }, asked)).toBe("allow");
    }
  });

  it("each call may have a mode of its own, and an unknown one is an error", async () => {
    const permissions = createPermissions({}, ports);
    const inMode = (mode: PermissionMode) => permissions.decide({ ...write("a"), mode });
    expect([(await permissions.decide(write("a"))).action, (await inMode("accept-edits")).action]).toEqual([
      "ask",
      "allow",
    ]);
    const wrong: PermissionMode = JSON.parse('"acceptEdits"');
    const message = 'permissions.mode is "acceptEdits"; it must be bypass, accept-edits, default';
    await expect(inMode(wrong)).rejects.toThrow(message);
    expect(() => createPermissions({ mode: wrong }, ports)).toThrow(message);
  });

  it("a refusal says why, whole", async () => {
    const permissions = createPermissions({ mode: "dont-ask", deny: ["Bash(rm:*)"] }, ports);
    expect(await permissions.decide(bash("rm x"))).toEqual({
      action: "deny",
      reason: "Bash is denied by Bash(rm:*).",
      rule: "Bash(rm:*)",
    });
    expect(await permissions.decide(bash("ls"))).toEqual({
      action: "deny",
      reason: "Bash is not read-only and no rule allows this call. In this mode nobody is asked.",
    });
  });
});

describe("a grant for the session", () => {
  const granted = async (given: RequestedCall, asked: RequestedCall) => {
    const permissions = createPermissions({ deny: ["Bash(shutdown:*)"] }, ports);
    await permissions.grant(given);
    return (await permissions.decide(asked)).action;
  };
  const edit = (file_path: string) => call("Edit", { file_path, old_string: "a", new_string: file_path });
  const fetch = (url: string) => call("WebFetch", { url });

  it.each<readonly [RequestedCall, RequestedCall]>([
    [bash("git push"), call("Bash", { command: "git push", description: "again", timeout: 5 })],
    [
      edit("src/a.ts"),
      call("Edit", { file_path: join(WORKSPACE, "src/a.ts"), old_string: "x", new_string: "y" }),
    ],
    [fetch("https://example.com/a"), fetch("https://example.com/b")],
    [call("mcp__x__y", { a: 1, b: 2 }), call("mcp__x__y", { b: 2, a: 1 })],
  ])("for %j covers %j", async (given, asked) => {
    expect(await granted(given, asked)).toBe("allow");
  });

  it.each<readonly [RequestedCall, RequestedCall]>([
    [bash("ls"), bash("ls; rm x")],
    [bash("ls"), bash("ls -la")],
    [bash("ls"), call("Bash", { command: "ls" }, { cwd: join(WORKSPACE, "src") })],
    [bash("ls"), call("Bash", { command: "ls", workdir: "src" })],
    [bash("ls"), call("Bash", { command: "ls", env: { PATH: "/tmp" } })],
    [edit("src/a.ts"), edit("src/b.ts")],
    [edit("src/a.ts"), write("src/a.ts")],
    [edit("src/a.ts"), call("Edit", { file_path: "src/a.ts", path: "b", old_string: "", new_string: "" })],
    [fetch("https://example.com/a"), fetch("http://example.com/a")],
    [fetch("https://example.com/a"), fetch("https://example.com:8443/a")],
    [fetch("https://example.com/a"), fetch("https://example.com.evil.com/a")],
    [fetch("https://example.com/a"), fetch("https://me@example.com/a")],
    [call("mcp__x__y", { a: 1 }), call("mcp__x__y", { a: 2 })],
    [call("mcp__x__y", { a: 1 }), call("mcp__x__z", { a: 1 })],
  ])("for %j does not cover %j", async (given, asked) => {
    expect(await granted(given, asked)).toBe("ask");
  });

  it("answers an ask rule, and never a deny or plan mode", async () => {
    const permissions = createPermissions({ ask: ["Bash(git push:*)"], deny: ["Bash(rm:*)"] }, ports);
    expect(await permissions.grant(bash("git push"))).toMatchObject({ kind: "command", text: "git push" });
    await permissions.grant(bash("rm x"));
    expect((await permissions.decide(bash("git push"))).action).toBe("allow");
    expect((await permissions.decide(bash("rm x"))).action).toBe("deny");
    expect((await permissions.decide({ ...bash("git push"), mode: "plan" })).action).toBe("deny");
  });
});
