import { createHooks } from "tenterhook";
import { applyConfig } from "tenterhook/config";
import { describe, expect, it } from "vitest";
import { bashCall } from "../support/events.ts";
import { askedAbout, guarded, HOOK } from "./support/guarded.ts";
import { hooksFile, type Project, project } from "./support/project.ts";

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
      "git ls-files | xargs rm",
      "git ls-files -z | xargs -0 sed -i s/deny/allow/",
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

  it("asks before our program is ended, and before an agent is started without hooks", async () => {
    const lines = [
      "pkill tenterhook",
      'pkill -9 -f "tenterhook hook"',
      "killall tenterhook",
      "kill -STOP $(pgrep -f tenterhook)",
      "while :; do pkill -f tenterhook; done &",
      "pgrep -f tenterhook | xargs kill -9",
      "p=$(pidof tenterhook); kill $p",
      "bash -c 'pkill -i -f Tenterhook'",
      "killall -s KILL tenterhook",
      "python3 -c \"import os,subprocess as s; os.kill(int(s.getoutput('pgrep tenterhook')), 9)\"",
      "claude --bare -p x",
      "claude --safe-mode -p x",
      "claude -p x --setting-sources user",
      "claude --settings '{\"disableAllHooks\":true}' -p x",
      "QWEN_CODE_SAFE_MODE=1 qwen -p x",
      "codex --disable hooks exec x",
      "codex exec -c features.hooks=false x",
    ];
    const harmless = [
      "pkill -f vite",
      "pgrep node",
      "pgrep -fl tenterhook",
      'git commit -m "killall does not end tenterhook"',
      "grep -rn 'pkill -f tenterhook' docs",
      "claude -p x",
      "codex exec x",
      "pkill vite && ls tenterhook",
    ];
    expect(await askedAbout(guarded(), [...lines, ...harmless])).toEqual(lines);
  });

  it("asks about a shell call that nobody can read", async () => {
    expect(await actionOn(guarded(), "Bash", { script: "rm -rf .claude" })).toBe("ask");
  });

  it("asks before git sets hooks or settings back", async () => {
    const lines = [
      "git checkout .claude/settings.json",
      "git checkout HEAD~1 -- .claude",
      "git checkout .",
      "git restore .claude/settings.json",
      "git restore .",
      "git stash",
      "git stash -u",
      "git stash push",
      "git stash list && git stash",
      "git reset --hard",
      "git clean -fdx",
      "git stash --include-untracked",
      "git stash -- .claude",
      "git stash 2>/dev/null",
      "git -C . stash",
      "git --no-pager stash",
      "git stash list; git -C . stash -q",
      "git checkout -- '*'",
      "git restore :/",
      "git rm -rf .",
      "git switch --discard-changes main",
      "git checkout-index -f -a",
      "git read-tree -u --reset HEAD",
    ];
    expect(await askedAbout(guarded(), lines)).toEqual(lines);
  });

  it("asks before our own commands or a package manager change what guards the agent", async () => {
    const lines = [
      "tenterhook trust --yes",
      "npx tenterhook disable guard",
      "npx tenterhook@latest uninstall claude",
      "./node_modules/.bin/tenterhook install claude",
      "pnpm dlx tenterhook trust",
      "npm uninstall tenterhook",
      "npm rm -g tenterhook",
      "yarn remove tenterhook",
      "yarn tenterhook disable guard",
      "bun run tenterhook disable guard",
      "node node_modules/tenterhook/dist/cli.js disable guard",
      "deno run -A npm:tenterhook trust",
      "npm i tenterhook@npm:other",
      "tenterhook init --force --pack none",
      "npx tenterhook init --scope user --yes",
    ];
    expect(await askedAbout(guarded(), lines)).toEqual(lines);
  });

  it("asks before a command answers a question in the user's name, not before the agent signals its own state", async () => {
    const lines = [
      "tenterhook emit agent:answer --agent a1 yes",
      "npx tenterhook emit agent:answer yes",
      "tenterhook decisions resolve mh3k allow",
      "tenterhook resume mh3k yes",
      "npx tenterhook resume mh3k yes",
      "tenterhook monitor uninstall-service",
      "systemctl --user stop tenterhook-monitor",
      "launchctl bootout gui/501/tenterhook-monitor",
      "cd ~/.local/state/tenterhook && curl --unix-socket monitor/daemon.sock http://x/v1/decisions/d/resolve",
      "curl --unix-socket /tmp/tenterhook-501-0123456789abcdef/daemon.sock http://x/v1/decisions/d/resolve",
      "cd /tmp/tenterhook-501-0123456789abcdef && curl --unix-socket daemon.sock http://x/v1/decisions/d/resolve",
      "cd ~/.local/state/tenterhook/monitor; curl --unix-socket=daemon.sock http://x/v1/decisions/d/resolve",
      "cd ~/.local/state/tenterhook/monitor; curl --unix-socket 'daemon.sock' http://x/v1/decisions/d/resolve",
      "socat - UNIX-CONNECT:daemon.sock",
      "nc -U\tdaemon.sock",
      "nc -Udaemon.sock",
      "nc -U \\\nhook.sock",
      "python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect(\"daemon.sock\")'",
      "cd ~/.local/state/tenterhook && nc -U monitor/hook.sock",
      "cd $XDG_STATE_HOME/tenterhook/monitor && nc -U hook.sock",
      "echo 1 | script -qc 'tenterhook decisions review' /dev/null",
      "tenterhook monitor stop",
      "curl --unix-socket ~/.local/state/tenterhook/monitor/daemon.sock http://x/v1/decisions/d/resolve",
      "cat ~/.local/state/tenterhook/monitor/token",
      "cd ~/.config/tenterhook && cat monitor.env",
    ];
    const signal = "tenterhook emit agent:signal --agent a1 complete";
    expect(await askedAbout(guarded(), [...lines, signal])).toEqual(lines);
  });

  it("asks before an agent answers in the user's name where nothing but the monitor is in force", async () => {
    const files = project({
      "user/tenterhook/hooks.yaml": "monitor: { on_prompt: { action: answer, wait: 10m } }\n",
    });
    const line = "tenterhook decisions resolve mh3k allow";
    expect(await askedAbout(files, [line, "ls"])).toEqual([line]);
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

  it("has nothing to say about everyday work", async () => {
    const lines = [
      "cat .claude/settings.json",
      "curl --unix-socket /run/webhook.sock http://x",
      "curl --unix-socket /run/my-daemon.sock http://x",
      "ln -s ../shared/config.json config.json",
      "cp -s a b",
      "ls dist | xargs rm",
      "ls -1 dist | xargs rm",
      "find src -type f -exec sed -i s/a/b/ {} +",
      "find . -name '*.ts' -exec sed -i s/a/b/ {} +",
      "sed -i s/a/b/ src/**/*.ts",
      "rm -rf **/node_modules",
      "grep -rl old src | xargs sed -i s/old/new/",
      "grep -rl old . --include='*.ts' | xargs sed -i s/old/new/",
      "git ls-files '*.ts' | xargs sed -i s/old/new/",
      "git ls-files | xargs wc -l",
      "awk -i inplace '{}' src/a.ts",
      "vim -c '%d' -c wq src/a.ts",
      "python3 -c \"print('a' + 'b')\"",
      "cmake -E make_directory build",
      "env -C src rm a.ts",
      "find -name '*.pyc' -delete",
      'rm -rf "$BUILD_DIR"',
      "mv src/a.ts ~+/b.ts",
      "grep -r deny .tenterhook",
      "bash hooks/guard.sh",
      "cp template.sh hooks/other.sh",
      "cp x .",
      "mv src/a.ts .",
      "npm ci",
      "npm install",
      "rm -rf node_modules dist",
      "rm *.log",
      "sed -i s/a/b/ *.ts src/*.json",
      "find . -name '*.pyc' -delete",
      "chown -R me .",
      "npx prettier --write .",
      "git checkout main",
      "git checkout -b topic",
      "git restore src/a.ts",
      "git stash list",
      "git stash pop",
      "git stash list | head; git stash show -p",
      "git rm -r --cached .",
      "git rm src/a.ts",
      "git log --grep stash",
      "git add . && git commit -m 'stash the hooks'",
      "tenterhook list",
      "npx tenterhook explain event.json",
      "echo x > notes.md",
      'rm -rf "$BUILD/dist" "$(mktemp -d)/hooks"',
    ];
    expect(await askedAbout(guarded(), lines)).toEqual([]);
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

  it("never tells the model which command would open the gate", async () => {
    const hooks = createHooks();
    const files = guarded();
    await applyConfig(hooks, await files.load());
    for (const line of ["tenterhook trust --yes", "rm -rf .claude", "git stash"]) {
      const { reason } = await hooks.fire(bashCall(line, { cwd: files.path("project") }));
      expect(reason).not.toMatch(/tenterhook \w+|self_protection|--yes/);
    }
  });

  it("is on for permissions too, and off where there is nothing to protect", async () => {
    const permissions = project({ "hooks.yaml": 'permissions: { deny: ["Bash(curl:*)"] }' });
    expect((await permissions.load()).guards.map(({ name }) => name)).toEqual(["tenterhook:self-protection"]);
    expect((await project().load()).guards).toEqual([]);
  });

  it("is turned off by the user's own file only", async () => {
    const off = "self_protection: { enabled: false }\n";
    const byUser = project({ "hooks.json": hooksFile("a"), "user/tenterhook/hooks.yaml": off });
    expect((await byUser.load()).guards).toEqual([]);
    const byProject = project({ "hooks.yaml": `${off}${HOOK}`, "project/hooks/guard.sh": "" });
    const { guards, warnings } = await byProject.load();
    expect(guards).toHaveLength(1);
    expect(warnings.map(({ message }) => message)).toEqual([
      "self_protection.enabled does not count: only the user's own file can turn it off.",
    ]);
    expect(await askedAbout(byProject, ["rm -rf .tenterhook"])).toHaveLength(1);
  });

  it("can't be disabled by name", async () => {
    const files = project({
      "hooks.yaml": `${HOOK.slice(0, -2)}, disabled: ["tenterhook:self-protection"] }`,
    });
    expect((await files.load()).guards.map(({ enabled }) => enabled)).toEqual([true]);
  });
});
