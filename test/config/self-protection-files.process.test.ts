import { createHooks } from "tenterhook";
import { describe, expect, it } from "vitest";
import { applyConfig } from "../../src/config/combine/apply.ts";
import { bashCall } from "../support/events.ts";
import { askedAbout, guarded } from "./support/guarded.ts";
import type { Project } from "./support/project.ts";

async function actionOn(files: Project, tool_name: string, tool_input: Readonly<Record<string, unknown>>) {
  const hooks = createHooks();
  await applyConfig(hooks, await files.load());
  const call = bashCall("", { cwd: files.path("project"), tool_name, tool_input });
  return (await hooks.fire(call)).action;
}

describe("self-protection", () => {
  it("asks before a file appears in a folder in which an agent finds hooks by their names, or leaves it", async () => {
    const lines = [
      "cp x .cline/hooks/PreToolUse.zsh",
      "echo '#!/bin/sh' > .clinerules/hooks/pretooluse",
      "mkdir -p .cline/hooks && mv x .cline/hooks",
      "rm -rf .cline",
      "rm .cline/hooks/*",
      "ln -s x ~/Documents/Cline/Hooks/PreToolUse",
      'cp x "$(pwd)/.cline/hooks/PreToolUse"',
    ];
    const harmless = ["cat .cline/hooks/PreToolUse.zsh", "touch .cline/notes"];
    expect(await askedAbout(guarded(), [...lines, ...harmless])).toEqual(lines);
    const file_path = ".clinerules/hooks/PostToolUse.js";
    expect(await actionOn(guarded(), "Write", { file_path, content: "" })).toBe("ask");
  });

  it("asks before files appear that an agent loads as code, not before texts of skills and commands", async () => {
    const lines = [
      "echo x > .claude/skills/a/hooks/hooks.json",
      "echo x > .claude/skills/a/.claude-plugin/plugin.json",
      "echo x > .claude/skills/a/register.js",
      "cp -r /tmp/a .claude/skills/a",
      "git clone https://example.com/a .claude/skills/a",
      "tar xf a.tgz -C .claude/skills",
      "git submodule add https://example.com/a .claude/skills/a",
      "python3 -c \"import shutil; shutil.copytree('/tmp/a', '.claude/skills/a')\"",
      "cp -r /tmp/a .claude/plugins/a",
      "rm -rf ~/.claude/plugins",
      "ln -s /tmp/a ~/.claude/plugins/a",
      "echo x > ~/.claude.json",
      "echo x > /etc/claude-code/managed-settings.d/10.json",
      "echo x > .opencode/plugin/a.js",
      "echo x > .kilo/tools/a.ts",
      "echo x > opencode.json",
      "echo x > .pi/extensions/a.ts",
      "echo x > ~/.gemini/extensions/a/gemini-extension.json",
      "echo x > .github/hooks/a.json",
    ];
    const harmless = [
      "echo x > .claude/skills/a/SKILL.md",
      "echo x > .claude/skills/a/scripts/a.py",
      "python3 -c \"import os; os.makedirs('.claude/skills/a'); open('.claude/skills/a/SKILL.md', 'w')\"",
      "echo x > .claude/commands/a.md",
      "echo x > .claude/agents/a.md",
      "ls ~/.claude/plugins",
      "cat opencode.json ~/.claude.json",
      "echo x > .github/workflows/ci.yml",
    ];
    expect(await askedAbout(guarded(), [...lines, ...harmless])).toEqual(lines);
  });

  it("asks before a shell command changes, removes, moves or replaces hooks, scripts or an agent's settings", async () => {
    const lines = [
      'echo "{}" > .claude/settings.json',
      "rm -rf .claude",
      "mv .claude elsewhere",
      "ln -sf /tmp/x .claude/settings.json",
      "ln -sfn /tmp/evil .claude",
      "cd .claude; echo > settings.json",
      "cp x .claude/settings.local.json",
      "python3 -c \"open('.claude/settings.json','w').write('{}')\"",
      "rm .tenterhook/hooks.yaml",
      "rm -rf .tenterhook",
      "echo 'hooks: {}' > .tenterhook/hooks.local.yaml",
      "sed -i s/deny/allow/ .tenterhook/hooks.yaml",
      "sed -i s/1/0/ hooks/guard.sh",
      "chmod 000 hooks/guard.sh",
      "git rm .claude/settings.json",
      "rm -rf *",
      "rm -rf .",
      "rm -rf ../project",
      "rm -rf node_modules/tenterhook",
      "chmod -x node_modules/.bin/tenterhook",
      "rm node_modules/.bin/tenterhook",
      "rm -rf node_modules/.bin",
      "echo > /usr/local/bin/tenterhook",
      "rm $(which tenterhook)",
      'mv "$(command -v tenterhook)" elsewhere',
      "echo {} > ~/.claude/settings.json",
      'rm -rf "$CLAUDE_PROJECT_DIR/.claude"',
      'echo {} > "$(pwd)/.claude/settings.json"',
      'cd "$(git rev-parse --show-toplevel)" && rm .tenterhook/hooks.yaml',
      "rm $(locate a/b)/hooks/guard.sh",
      "ls .claude/settings.json | xargs rm",
      "ln -s .claude/settings.json x; echo {} > x",
      "ln .claude/settings.json x && echo {} > x",
      "cp -l .tenterhook/hooks.yaml x",
      "find -delete",
      "find -name settings.json -delete",
      "rm -rf ~+/.claude",
      "rm /proc/self/cwd/.claude/settings.json",
      'rm -rf "$(pwd)"',
      'rm -rf "$CLAUDE_PROJECT_DIR"',
      "ls -a | xargs rm -rf",
      "rm -rf hooks",
      "grep -rl deny . | xargs sed -i s/deny/allow/",
      "grep -rl deny .tenterhook | xargs sed -i s/deny/allow/",
      "awk -i inplace '{}' .claude/settings.json",
      "gawk -i inplace '{}' .claude/settings.json",
      "vim -es -c 'e .claude/settings.json' -c '%d' -c wq",
      "ex -c 'w! .claude/settings.json' x",
      "emacs --batch --eval '(delete-file \".claude/settings.json\")'",
      "python3 -c \"open('.cl'+'aude/settings.json','w')\"",
      "python3 -c \"import os; open(os.path.join('.claude','settings.json'),'w')\"",
      "bun -e \"await Bun.write('.claude/settings.json','{}')\"",
      "sqlite3 x.db '.output .claude/settings.json'",
      "script -c x .claude/settings.json",
      "env -C .claude rm settings.json",
      "env --chdir=.claude rm settings.json",
      "sudo -D .claude rm settings.json",
      "gio trash .claude",
      "cmake -E rm .claude/settings.json",
      "cmake -E copy x .claude/settings.json",
      "rclone copy x .claude",
    ];
    expect(await askedAbout(guarded(), lines)).toEqual(lines);
  });

  it("asks in whichever case a file is named: many file systems find it", async () => {
    const lines = [
      "echo {} > .CLAUDE/settings.json",
      "rm .claude/Settings.json",
      "rm -rf .Tenterhook",
      "cp x .claude/Settings.Local.json",
      "ln -s .claude/SETTINGS.json x",
      'rm "$(pwd)/.Claude/settings.json"',
      "python3 -c \"open('.Claude/settings.json','w')\"",
    ];
    expect(await askedAbout(guarded(), lines)).toEqual(lines);
    for (const file_path of [".claude/settings.LOCAL.json", ".CLAUDE/settings.json", "Hooks/Guard.sh"])
      expect(await actionOn(guarded(), "Write", { file_path, content: "" })).toBe("ask");
  });

  it("asks about a shell call that nobody can read", async () => {
    expect(await actionOn(guarded(), "Bash", { script: "rm -rf .claude" })).toBe("ask");
  });

  it("asks before git sets hooks or settings back that the line names", async () => {
    const lines = [
      "git checkout .claude/settings.json",
      "git checkout HEAD~1 -- .claude",
      "git restore .claude/settings.json",
      "git rm -rf .claude",
    ];
    expect(await askedAbout(guarded(), lines)).toEqual(lines);
  });

  it("asks before a command changes our state, wherever it is", async () => {
    const files = guarded();
    const lines = [
      `echo {} > ${files.path("state/tenterhook/trust/x.json")}`,
      `rm -rf ${files.path("cache/tenterhook")}`,
      `echo > ${files.path("user/tenterhook/hooks.yaml")}`,
    ];
    expect(await askedAbout(files, lines)).toEqual(lines);
  });

  it("asks about tools that write such a file, and lets them read it", async () => {
    const files = guarded();
    const settings = files.path("project/.claude/settings.json");
    expect(await actionOn(files, "Write", { file_path: settings, content: "{}" })).toBe("ask");
    expect(await actionOn(files, "Edit", { file_path: ".tenterhook/hooks.yaml" })).toBe("ask");
    expect(await actionOn(files, "mcp__fs__move_file", { source: files.path("project/.claude") })).toBe(
      "ask",
    );
    expect(await actionOn(files, "Read", { file_path: settings })).toBe("continue");
    expect(await actionOn(files, "Write", { file_path: "src/a.ts", content: "" })).toBe("continue");
  });
});
