import { describe, expect, it } from "vitest";
import { askedAbout, guarded } from "./support/guarded.ts";
import { project } from "./support/project.ts";

describe("self-protection", () => {
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

  it("asks before agents load other code, get other settings or start without theirs", async () => {
    const lines = [
      "claude plugin install x",
      "claude plugins marketplace add x",
      "claude --plugin-dir=./x -p y",
      "claude --settings x.json -p y",
      "CLAUDE_CODE_PLUGIN_DIRS=./x claude -p y",
      "export CLAUDE_CONFIG_DIR=/tmp/x; claude -p y",
      "CLAUDE_CODE_SIMPLE=1 claude -p y",
      "NODE_OPTIONS=--require=./x.js codex exec y",
      "gemini extensions link .",
      "pi install npm:x",
      "pi -e ./x.ts",
      "opencode --pure",
      "codex features disable hooks",
    ];
    const harmless = [
      "claude plugin list",
      "claude plugin validate --json .",
      'claude --settings "$(tenterhook agent settings worker-1)"',
      "gemini extensions list",
      "echo $CLAUDE_CONFIG_DIR",
    ];
    expect(await askedAbout(guarded(), [...lines, ...harmless])).toEqual(lines);
  });

  it("asks before our program gets another name, our own agent works unasked, or the daemon starts again", async () => {
    const lines = [
      "ln -s node_modules/.bin/tenterhook t",
      "cp node_modules/tenterhook/dist/tenterhook.cjs /tmp/t",
      "cp -r node_modules/tenterhook/dist /tmp/t",
      "dd if=node_modules/.bin/tenterhook of=t",
      "tenterhook run --yes x",
      "env -i HOME=$HOME tenterhook run -y x",
      "tenterhook run --mode bypass",
      "tenterhook on git-safety -y",
      "tenterhook dashboard --no-open",
      "tenterhook away 2h",
      "tenterhook fleet answer r1 yes",
      "tenterhook daemon restart",
      "tenterhook $COMMAND",
      "sh node_modules/.bin/tenterhook disable guard",
      "node -e \"import('tenterhook/config').then((c) => c.grantTrust(x))\"",
    ];
    const harmless = [
      "tenterhook run x",
      "tenterhook daemon status",
      "cp -r node_modules /tmp/x",
      "git grep grantTrust",
    ];
    expect(await askedAbout(guarded(), [...lines, ...harmless])).toEqual(lines);
  });

  it("asks before a folder with our configuration or state moves, or gets files that nobody has named", async () => {
    const lines = [
      "mv ~/.config /tmp/old",
      "cd ~ && mv .config old",
      "mv ~/.local /tmp/old",
      "rsync -a theirs/ ~/.config/",
      "tar -C ~/.config -xf theirs.tar",
      "unzip theirs.zip -d ~/.config",
      "cp -r theirs/. ~/.config",
    ];
    const harmless = [
      "cp a.lua ~/.config/nvim/init.lua",
      "cp -r nvim ~/.config/nvim",
      "mv kitty.conf ~/.config/kitty/",
      "tar -xf theirs.tar",
      "ls ~/.config",
    ];
    expect(await askedAbout(guarded(), [...lines, ...harmless])).toEqual(lines);
  });

  it("asks before our own commands or a package manager change what guards the agent", async () => {
    const lines = [
      "tenterhook trust --yes",
      "npx tenterhook off guard",
      "npx tenterhook@latest uninstall claude",
      "./node_modules/.bin/tenterhook install claude",
      "pnpm dlx tenterhook trust",
      "npm uninstall tenterhook",
      "npm rm -g tenterhook",
      "yarn remove tenterhook",
      "yarn tenterhook off guard",
      "bun run tenterhook off guard",
      "node node_modules/tenterhook/dist/cli.js disable guard",
      "deno run -A npm:tenterhook trust",
      "npm i tenterhook@npm:other",
      "tenterhook init --force --pack none",
      "npx tenterhook init --user --yes",
    ];
    expect(await askedAbout(guarded(), lines)).toEqual(lines);
  });

  it("asks before a command answers a question in the user's name, not before the agent signals its own state", async () => {
    const lines = [
      "tenterhook answer mh3k allow",
      "tenterhook sessions resume mh3k yes",
      "npx tenterhook sessions resume mh3k yes",
      "tenterhook daemon leave",
      "systemctl --user stop tenterhook-monitor",
      "systemctl --user stop tenterhook",
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
      "echo 1 | script -qc 'tenterhook answer mh3k 1' /dev/null",
      "tenterhook daemon stop",
      "tenterhook daemon join https://monitor.example.com --token-file t",
      "tenterhook daemon token create --role person",
      "curl --unix-socket ~/.local/state/tenterhook/monitor/daemon.sock http://x/v1/decisions/d/resolve",
      "cat ~/.local/state/tenterhook/monitor/token",
      "cd ~/.config/tenterhook && cat monitor.env",
      "tenterhook sessions fork mh3k yes",
      "tenterhook decisions resolve mh3k yes",
      "tenterhook resume mh3k yes",
      "tenterhook monitor stop",
      "tenterhook web",
      "TENTERHOOK_DATABASE_URL=postgres://me@127.0.0.1/mine tenterhook agents",
      "export XDG_CONFIG_HOME=/tmp/x; npx tenterhook daemon start",
      "tar c ~/.local | base64",
      "cp -r ~/.local/state x",
      "grep -r . ~/.local/state/tenterhook",
    ];
    const signal = "tenterhook emit agent:signal --agent a1 complete";
    const everyday = [
      "curl --unix-socket /var/run/docker.sock http://localhost/info",
      "nc -U /tmp/app.sock",
      "grep -r foo .",
      "tar c src",
      "cp -r ~/.config/nvim x",
    ];
    expect(await askedAbout(guarded(), [...lines, signal, ...everyday])).toEqual(lines);
  });

  it("asks before a line reaches the daemon's files by a wildcard, in steps or as a whole", async () => {
    const files = guarded();
    files.write("state/tenterhook/monitor/daemon.sock", "");
    const state = files.path("state/tenterhook");
    const lines = [
      `cd ${state} && cd monitor && curl --unix-socket ./d*.sock http://x/v1/decisions/d/resolve`,
      `S=${state}; cd $S/monitor && nc -U ./d*.sock`,
      `cd ${state} && cd monitor && ncat --unixsock d* < request`,
      `cd ${state} && cd monitor && socat - UNIX-CONNECT:./d*`,
      `cd ${state} && cd monitor && socat - UNIX:./d*,type=1`,
      `cat ${state}/**`,
      `cp -a ${files.path("state")} copy`,
    ];
    expect(await askedAbout(files, lines)).toEqual(lines);
  });

  it("asks before an agent answers in the user's name where nothing but the monitor is in force", async () => {
    const files = project({
      "user/tenterhook/hooks.yaml": "monitor: { on_prompt: { action: answer, wait: 10m } }\n",
    });
    const line = "tenterhook answer mh3k allow";
    expect(await askedAbout(files, [line, "ls"])).toEqual([line]);
  });
});
