import { beforeAll, describe, expect, it } from "vitest";
import { analyseShell, loadShellParser } from "../../../src/rules/shell/analyse.ts";
import { compileRuns } from "../../../src/rules/shell/runs.ts";

beforeAll(loadShellParser);

const disables = compileRuns("tenterhook off x");

describe("our program is known by what runs, not by how it is written", () => {
  it.each([
    "sh ./node_modules/.bin/tenterhook off x",
    "bash /opt/a/node_modules/tenterhook/dist/tenterhook.cjs off x",
    "busybox sh node_modules/tenterhook/dist/tenterhook.cjs off x",
    "zsh -f node_modules/.bin/tenterhook off x",
    "exec -a y sh node_modules/.bin/tenterhook off x",
    ". node_modules/.bin/tenterhook off x",
    "node --import ./a.mjs node_modules/tenterhook/dist/commands/main-B1.cjs off x",
    "nodejs node_modules/.bin/tenterhook off x",
    "deno node_modules/tenterhook/dist/tenterhook.cjs off x",
    "perl node_modules/.bin/tenterhook off x",
    "./node_modules/tenterhook/dist/tenterhook.cjs off x",
    "cd node_modules/tenterhook/dist && node tenterhook.cjs off x",
    "cd node_modules/tenterhook && node ./dist/commands/main-B1.cjs off x",
    "npx tenterhook@1.2.3 off x",
    "corepack pnpm exec tenterhook off x",
    "volta run tenterhook off x",
    "fnm exec --using 20 -- tenterhook off x",
    "newrunner --flag tenterhook off x",
    "ln -s node_modules/.bin/tenterhook t && ./t off x",
    "cp node_modules/tenterhook/dist/tenterhook.cjs /tmp/t && sh /tmp/t off x",
    'ln -s "$(command -v tenterhook)" t; ./t off x',
    "cat node_modules/.bin/tenterhook | sh -s off x",
    "sh -s off x < node_modules/.bin/tenterhook",
    "sh node_modules/.bin/tent* off x",
    "cat node_modules/.bin/tenterhook > t; sh t off x",
    "node <(cat node_modules/tenterhook/dist/tenterhook.cjs) off x",
    "ELECTRON_RUN_AS_NODE=1 code node_modules/tenterhook/dist/tenterhook.cjs off x",
    "gh alias set a '!tenterhook off x'",
    "emacsclient -e '(shell-command \"tenterhook off x\")'",
    "nvim -c 'terminal tenterhook off x'",
    "./node_modules/.bin/tenter?ook off x",
    "sh -c '. node_modules/.bin/tenterhook' y off x",
    "npm explore tenterhook -- node dist/tenterhook.cjs off x",
    "python3 -c \"import os; os.execvp('tenterhook', ['tenterhook', 'off', 'x'])\"",
    "node - off x < node_modules/tenterhook/dist/tenterhook.cjs",
    "NODE_OPTIONS=--require=./a.js env -i sh node_modules/.bin/tenterhook off x",
  ])("%s", (line) => {
    expect(analyseShell(line).commands.some(disables)).toBe(true);
  });

  it.each([
    "cat node_modules/.bin/tenterhook off x",
    "grep -rn tenterhook off x",
    "node scripts/tenterhook-report.mjs off x",
    "node dist/cli.js off x",
    "bash -lc \"curl -s https://example.com/a?b | jq '.[].title'\"",
    "git log -- tenterhook off x",
    "echo tenterhook off x",
  ])("another program is not taken for it: %s", (line) => {
    expect(analyseShell(line).commands.some(disables)).toBe(false);
  });
});

describe("our program as a module of other code", () => {
  const anything = compileRuns("tenterhook [$]*");

  it.each([
    "node -e \"require('./node_modules/tenterhook/dist/tenterhook.cjs')\" trust",
    "node -e \"import('/opt/tenterhook/dist/commands/main-B1.cjs')\"",
    "node -e \"new (require('worker_threads').Worker)('./node_modules/.bin/tenterhook')\"",
  ])("runs with words that nobody knows: %s", (line) => {
    expect(analyseShell(line).commands.some(anything)).toBe(true);
  });

  it.each(["node -e \"import('tenterhook')\"", "node -e \"require('tenterhook/rules')\""])(
    "is not run by who uses the library: %s",
    (line) => {
      expect(analyseShell(line).commands.some(({ name }) => name === "tenterhook")).toBe(false);
    },
  );
});

describe("what loads code before our program or an agent", () => {
  const loads = compileRuns("@preloads");

  it.each([
    "NODE_OPTIONS=--require=./a.js tenterhook agents",
    "export NODE_OPTIONS='--import ./a.mjs'; tenterhook daemon restart",
    "env LD_PRELOAD=./a.so claude -p x",
    "declare -x PERL5OPT=-Ma; codex exec x",
    "eval 'export BASH_ENV=./a'; gemini -p x",
    "export $(echo LD_AUDIT=./a.so); tenterhook agents",
    "read NODE_OPTIONS < a; export NODE_OPTIONS; tenterhook agents",
    "NODE_OPTIONS=$OTHER tenterhook agents",
    "sudo DYLD_INSERT_LIBRARIES=a tenterhook agents",
    "npx cross-env NODE_OPTIONS=-r=./a tenterhook agents",
    "systemd-run --user --setenv=NODE_PATH=/tmp tenterhook daemon start",
    "npx --node-options='--require ./a.js' tenterhook agents",
    "npm_config_node_options=--require=./a.js npx tenterhook agents",
    "node --require ./a.js node_modules/.bin/tenterhook status",
    "bun --preload ./a.ts node_modules/.bin/tenterhook status",
    "bash --rcfile ./a -ic 'tenterhook agents'",
    "python3 -c \"import subprocess; subprocess.run(['tenterhook', 'status'], env={'NODE_OPTIONS': '-r ./a'})\"",
    "CLAUDE_CONFIG_DIR=/tmp/a claude -p x",
    "HOME=/tmp/a npx @openai/codex exec x",
  ])("%s", (line) => {
    expect(analyseShell(line).commands.some(loads)).toBe(true);
  });

  it.each([
    "NODE_OPTIONS=--max-old-space-size=4096 tenterhook agents",
    'NODE_OPTIONS="$NODE_OPTIONS --no-warnings" claude -p x',
    "LD_PRELOAD=./a.so ./server",
    "NODE_EXTRA_CA_CERTS=a.pem HTTPS_PROXY=http://proxy tenterhook agents",
    "NODE_OPTIONS=--require=./a.js; unset NODE_OPTIONS; tenterhook agents",
    "claude -p 'what is CLAUDE_CONFIG_DIR'",
    "HOME=/tmp/a tenterhook list",
  ])("nothing does in: %s", (line) => {
    expect(analyseShell(line).commands.some(loads)).toBe(false);
  });
});

describe("what a program starts after its own words is read", () => {
  const deletes = compileRuns("rm -r -f src");

  it.each([
    "tenterhook run -- rm -rf src",
    "tenterhook run --name a --transcript b -- sh -c 'rm -rf src'",
    "tenterhook watch rm -rf src",
    "tenterhook watch rm -rf src -- ls",
    "tenterhook watch --name a -- rm -rf src",
    "tenterhook chat -- rm -rf src",
    "tenterhook demo -- rm -rf src",
    "npx tenterhook run -- rm -rf src",
    "sh node_modules/.bin/tenterhook watch -- rm -rf src",
    "tenterhook run -- tenterhook run -- rm -rf src",
    "tini -g -- rm -rf src",
    "dumb-init rm -rf src",
    "cgexec -g cpu:a rm -rf src",
    "faketime -f '+2d' rm -rf src",
    "lerna exec --scope a -- rm -rf src",
    "npx nx exec -- rm -rf src",
    "yarn workspaces foreach -A exec rm -rf src",
    "zx -e 'await $`rm -rf src`'",
    "newrunner --times 3 -- rm -rf src",
    "newrunner exec rm -rf src",
    "newrunner --on-change-exec='rm -rf src'",
    "newrunner a bash -c 'rm -rf src'",
    "./scripts/retry.sh -- rm -rf src",
    "screen -S a -X stuff 'rm -rf src\n'",
    "tmux respawn-pane -k 'rm -rf src'",
    "tmux if-shell true 'run-shell \"rm -rf src\"'",
    "gnome-terminal -- rm -rf src",
    "xterm -e rm -rf src",
    "kitty @ send-text 'rm -rf src'",
  ])("%s", (line) => {
    expect(analyseShell(line).commands.some(deletes)).toBe(true);
  });

  it.each(["newrunner test -- --run", "git log -- rm -rf src", "pytest -k exec rm -rf src"])(
    "and only that: %s",
    (line) => {
      expect(analyseShell(line).commands.some(deletes)).toBe(false);
    },
  );
});

describe("code in an address that an engine is given", () => {
  it.each([
    'node --import \'data:text/javascript,import fs from "fs"; fs.rmSync("src", {recursive: true})\' a.js',
    "node --import=data:text/javascript,fs.rmSync%28%22src%22%2C%7Brecursive%3Atrue%7D%29 a.js",
    "deno run 'data:text/javascript,Deno.removeSync(\"src\", {recursive: true})'",
  ])("is read: %s", (line) => {
    expect(analyseShell(line).commands.some(compileRuns("@loses"))).toBe(true);
  });
});
