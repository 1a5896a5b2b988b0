import { beforeAll, describe, expect, it } from "vitest";
import { safeShell } from "../../../src/rules/packs/safe-shell.ts";
import { compileInlineRules, type InlineRules } from "../../../src/rules/rules.ts";
import { analyseShell, loadShellParser } from "../../../src/rules/shell/analyse.ts";
import { compileRuns } from "../../../src/rules/shell/runs.ts";
import { bash, ports } from "../ports.ts";

let files: readonly InlineRules[] = [];

beforeAll(async () => {
  await loadShellParser();
  files = await Promise.all(safeShell.definitions.map((definition) => compileInlineRules(definition, ports)));
});

const deletes = compileRuns("rm -r -f /srv/data");

/** The line runs `rm -rf /srv/data`; what stands before only looks as if it changed that. */
const NEVER_RUN: Readonly<Record<string, readonly string[]>> = {
  "what follows an operator may not run": [
    "false && x=ls; ${x:-rm} -rf /srv/data",
    "x=rm; false && x=ls || $x -rf /srv/data",
    "x=rm; true || x=ls && $x -rf /srv/data",
    'x=(rm); true || x=(ls); "${x[@]}" -rf /srv/data',
    'x=(rm); true || x[0]=ls; "${x[@]}" -rf /srv/data',
    "x=rm; true || read x <<< ls; $x -rf /srv/data",
    "set -- rm; true || set -- ls; $1 -rf /srv/data",
    "set -- rm; true || shift; $1 -rf /srv/data",
    "f() { rm -rf /srv/data; }; true || f() { :; }; f",
    "alias x='rm -rf /srv/data'; true || alias x=ls; x",
    "x=rm; select x in ls; do :; done < /dev/null; $x -rf /srv/data",
    "x=rm; trap 'x=ls' EXIT; $x -rf /srv/data",
  ],
  "another process changes nothing here": [
    "x=rm; x=ls & $x -rf /srv/data",
    "x=rm; { x=ls; } & $x -rf /srv/data",
    "x=rm; coproc { x=ls; }; $x -rf /srv/data",
    "f() { rm -rf /srv/data; }; f() { :; } & f",
    "x=rm; ssh host 'x=ls'; $x -rf /srv/data",
    "x=rm; watch 'x=ls'; $x -rf /srv/data",
    "x=rm; sudo read x <<< ls; $x -rf /srv/data",
    "x=rm; su -c 'x=ls'; $x -rf /srv/data",
    "x=rm; ./export x=ls; $x -rf /srv/data",
    "x=rm; /usr/bin/printf -v x ls; $x -rf /srv/data",
  ],
  "a function has variables of its own": [
    "x=rm; f() { local x=ls; }; f; $x -rf /srv/data",
    "x=rm; f() { typeset x=ls; g; }; g() { :; }; f; $x -rf /srv/data",
    "x=ls; f() { local x; ${x:-rm} -rf /srv/data; }; f",
  ],
  "a value is the one that was given last": [
    "x=ls; x=(rm); $x -rf /srv/data",
    "x=(ls); x=rm; ${x[0]} -rf /srv/data",
    "x=(ls); mapfile -t x <<< rm; ${x[0]} -rf /srv/data",
    "x=ls; readarray -t x <<< rm; $x -rf /srv/data",
    "x=ls; read -n2 x <<< rmm; $x -rf /srv/data",
    "x=ls; printf -vx rm; $x -rf /srv/data",
    "x=rm; readonly x\nx=ls\n$x -rf /srv/data",
    "declare -l x=RM; $x -rf /srv/data",
    'set rm -rf /srv/data; "$@"',
    "set -eo pipefail rm -rf /srv/data; $@",
    "set -- rm x; ${@:1:1} -rf /srv/data",
    'set -- r m; IFS=; "$*" -rf /srv/data',
    'x=(r m); IFS=; "${x[*]}" -rf /srv/data',
    "x=ls; shopt -s lastpipe; echo rm | read x; $x -rf /srv/data",
    "x=ls; echo rm | read x; $x -rf /srv/data",
  ],
  "a shell takes values for its options": [
    "bash -euo pipefail -c 'rm -rf /srv/data'",
    "bash -ceuo pipefail 'rm -rf /srv/data'",
    "bash -eO extglob +o posix -c 'rm -rf /srv/data'",
    "bash -xs x <<< 'rm -rf /srv/data'",
    "fish --command='rm -rf /srv/data'",
  ],
  "zsh has words of its own": [
    "=rm -rf /srv/data",
    "- rm -rf /srv/data",
    "zf_rm -rf /srv/data",
    "repeat 3 rm -rf /srv/data",
    "repeat 3 { rm -rf /srv/data }",
    "emulate sh -c 'rm -rf /srv/data'",
    "sched +1 rm -rf /srv/data",
    "x=(rm -rf /srv/data); $x",
    "x='$(rm -rf /srv/data)'; print ${(e)x}",
    "ls *(e:'rm -rf /srv/data':)",
    "alias -g X='; rm -rf /srv/data'; ls X",
  ],
  "shells and programs under other names": [
    "bash-5.2 -c 'rm -rf /srv/data'",
    "nu -c 'rm -rf /srv/data'",
    "bash --rcfile <(echo rm -rf /srv/data) -i",
    "link /bin/rm x; ./x -rf /srv/data",
  ],
  "characters that a shell passes over": ["r\0m -rf /srv/data"],
  "the shell itself runs text": [
    "mapfile -c 1 -C 'rm -rf /srv/data #' lines < notes",
    "readarray -C 'rm -rf /srv/data;' -c 1 lines < notes",
    "compgen -C 'rm -rf /srv/data'",
    "complete -C 'rm -rf /srv/data' x",
    "bind -x '\"x\": rm -rf /srv/data'",
  ],
};

describe("a line is never read as if only the harmless way were taken", () => {
  for (const [name, lines] of Object.entries(NEVER_RUN)) {
    it.each(lines)(`${name}: %s`, (line) => {
      const { commands, dynamic } = analyseShell(line);
      expect(dynamic || commands.some(deletes)).toBe(true);
    });
  }
});

describe("where a line is after a cd that may not have been", () => {
  it.each([
    "false && cd /tmp; rm -rf src",
    "true || cd /tmp; rm -rf src",
    "cd /tmp & rm -rf src",
    "cd /tmp/none || rm -rf src",
    "if false; then cd /tmp; fi; rm -rf src",
    "f() { cd /tmp; }; false && f; rm -rf src",
    "trap 'cd /tmp' EXIT; rm -rf src",
    "sudo cd /tmp; rm -rf src",
    "ssh host 'cd /tmp'; rm -rf src",
    "/usr/bin/cd /tmp; rm -rf src",
    "alias cd=:\ncd /tmp; rm -rf src",
    "cd /tmp /var; rm -rf src",
    "false && HOME=/tmp/x; rm -rf $HOME",
    "false && d=tmp/x; rm -rf /$d",
  ])("nothing is thrown away as if it were there: %s", async (line) => {
    const actions = await Promise.all(files.map(async ({ decide }) => (await decide(bash(line))).action));
    expect(actions.some((action) => action === "ask" || action === "deny")).toBe(true);
  });

  it.each([
    "cd /tmp && rm -rf src",
    "cd /tmp || exit 1; rm -rf src",
    "mkdir -p /tmp/x && cd /tmp/x && rm -rf src",
    "if true; then d=build; rm -rf $d; fi",
    "for d in build dist; do out=$d; rm -rf $out; done",
  ])("what is certain stays certain: %s", async (line) => {
    const actions = await Promise.all(files.map(async ({ decide }) => (await decide(bash(line))).action));
    expect(actions.every((action) => action === "continue")).toBe(true);
  });
});
