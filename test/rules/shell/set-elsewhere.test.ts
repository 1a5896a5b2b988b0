import { beforeAll, describe, expect, it } from "vitest";
import { analyseShell, loadShellParser } from "../../../src/rules/shell/analyse.ts";

beforeAll(loadShellParser);

/** What the last command deletes, as far as it is known. */
const deleted = (line: string) => analyseShell(line).commands.at(-1)?.args;
const loses = (line: string) =>
  analyseShell(line).commands.some(({ behaviours }) => behaviours.some(({ kind }) => kind === "loses"));

describe("a variable that gets its value from elsewhere", () => {
  it.each([
    "IFS= read -r TMP < list; rm -rf $TMP",
    "read -r TMP < list; rm -rf $TMP",
    "IFS=: read -r a TMP < list; rm -rf $TMP",
    "read -a TMP < list; rm -rf $TMP",
    "read -aTMP < list; rm -rf $TMP",
    "read -p 'Which? ' TMP; rm -rf $TMP",
    "read 'TMP?Which? '; rm -rf $TMP",
    'name=TMP; read "$name" < list; rm -rf $TMP',
    'read "$1" < list; rm -rf $TMP'.replace("$1", "$(cat name)"),
    "mapfile -t TMP < list; rm -rf $TMP",
    "IFS= mapfile -t TMP < list; rm -rf $TMP",
    "readarray TMP < list; rm -rf $TMP",
    "LC_ALL=C printf -v TMP %s $(cat list); rm -rf $TMP",
    "printf -v 'TMP[0]' %s $(cat list); rm -rf $TMP",
    "getopts ab: TMP; rm -rf $TMP",
    "X=1 getopts ab: TMP; rm -rf $TMP",
    "while IFS= read -r TMP; do rm -rf $TMP; done < list",
    "while read -r TMP; do :; done < list; rm -rf $TMP",
    "cat list | while IFS= read -r TMP; do rm -rf $TMP; done",
    "let TMP=n+1; rm -rf $TMP",
    "((TMP = n + 1)); rm -rf $TMP",
    "((TMP++)); rm -rf $TMP",
    "f() { IFS= read -r TMP; }; f < list; rm -rf $TMP",
    "{ IFS= read -r TMP; } < list; rm -rf $TMP",
    "wait -p TMP; rm -rf $TMP",
    "X=1 eval 'read TMP < list'; rm -rf $TMP",
    "X=1 . <(echo 'read TMP < list'); rm -rf $TMP",
    "A=1 command read TMP < list; rm -rf $TMP",
    "coproc TMP { cat; }; rm -rf $TMP",
    "exec {TMP}> out; rm -rf $TMP",
  ])("is unknown: %s", (line) => {
    expect(deleted(`TMP=/tmp/x; ${line}`)).toEqual([expect.stringMatching(/^\$/)]);
    expect([loses(line), loses(`TMP=/tmp/x; ${line}`)]).toEqual([true, true]);
  });

  it.each([
    ["TMP=/tmp; read TMP <<< src; rm -rf $TMP", ["src"]],
    ["TMP=/tmp; IFS= read -r TMP <<< src; rm -rf $TMP", ["src"]],
    ["TMP=/tmp; IFS= read -r TMP <<< 'my src'; rm -rf \"$TMP\"", ["my src"]],
    ["mapfile -t TMP <<< src; rm -rf ${TMP[0]}", ["src"]],
    ["mapfile -t TMP <<< $'src\\nlib'; rm -rf \"${TMP[@]}\"", ["src", "lib"]],
    ["LC_ALL=C printf -v TMP %s src; rm -rf $TMP", ["src"]],
    ["X=/ eval 'TMP=src'; rm -rf $TMP", ["src"]],
  ])("is known where the line says it: %s", (line, paths) => {
    expect(deleted(line)).toEqual(paths);
  });

  it("keeps what was assigned for one command to that command", () => {
    expect(deleted("X=src; X=lib ls; rm -rf $X")).toEqual(["src"]);
    expect(deleted("X=src; X=lib read -r Y < f; rm -rf $X")).toEqual(["src"]);
    expect(deleted("X=src; X=lib : ; rm -rf $X")).toEqual(["$X"]);
  });

  it("is empty once it is unset", () => {
    expect(deleted('unset TMPDIR; rm -rf "$TMPDIR/x"')).toEqual(["/x"]);
  });
});

describe("two brackets", () => {
  const runsRm = (line: string) => analyseShell(line).commands.some(({ name }) => name === "rm");

  it.each([
    "sh -c '((rm -rf /))'",
    "dash -c '((rm -rf src))'",
    "busybox sh -c '((rm -rf src))'",
    "ash -c '(( rm -rf src ))'",
    "ksh -c '((rm -rf src))'",
    "sh -c '(((rm -rf src)))'",
    "sh -c 'ls; ((rm -rf src)) && ls'",
    "sh -c 'if ((rm -rf src)); then ls; fi'",
    "sh -c '((rm))'",
    "echo '((rm -rf src))' | sh",
    "sh <<< '((rm -rf src))'",
    "sh <<'E'\n((rm -rf src))\nE",
    "echo '((rm -rf src))' > x.sh; sh x.sh",
    "echo '((rm -rf src))' > x.sh; ./x.sh",
    "bash -c \"sh -c '((rm -rf src))'\"",
    "sh -c \"eval '((rm -rf src))'\"",
    "ssh host '((rm -rf src))'",
    "python3 -c 'import os; os.system(\"((rm -rf src))\")'",
    "xargs -I{} sh -c '((rm -rf {}))' < list",
    "((rm -rf src))",
    "((rm -rf /))",
    "ls && ((rm -rf ~))",
  ])("may be two subshells: %s", (line) => {
    expect(runsRm(line)).toBe(true);
  });

  it.each([
    "((i++))",
    "(( i += 1 ))",
    "((total > max)) && echo more",
    "((a < b))",
    "if (( $(cat count) > 5 )); then ls; fi",
    "((x = y * 2, z = (x + 1) % 3))",
    "(( ${#list[@]} == 0 )) || ls",
    "while ((n-- )); do ls; done",
    "bash -c '((total > max))'",
    "((flags & ~mask))",
    "((ok = a ? b : -1))",
  ])("are arithmetic where that is what they can be: %s", (line) => {
    const { writes, reads, dynamic, incomplete } = analyseShell(line);
    expect({ writes, dynamic, incomplete }).toEqual({ writes: [], dynamic: false, incomplete: false });
    expect(reads.filter((path) => path !== "count")).toEqual([]);
  });
});
