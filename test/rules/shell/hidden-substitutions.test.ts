import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { analyseShell, loadShellParser } from "../../../src/rules/shell/analyse.ts";

beforeAll(loadShellParser);

/** Places in which bash runs a substitution though no command stands there. */
const PLACES: readonly ((substitution: string) => string)[] = [
  (code) => `echo \${PATH/x/${code}}`,
  (code) => `echo \${PATH//${code}/x}`,
  (code) => `echo \${PATH:${code}}`,
  (code) => `echo \${PATH:0:${code}}`,
  (code) => `echo \${PATH#${code}}`,
  (code) => `echo \${PATH%%${code}}`,
  (code) => `echo \${PATH^^${code}}`,
  (code) => `echo \${PATH,,${code}}`,
  (code) => `echo \${unset:-${code}}`,
  (code) => `echo "\${PATH/x/${code}}"`,
  (code) => `echo \${BASH_VERSION[@]/${code}/}`,
  (code) => `echo \${list[${code}]}`,
  (code) => `echo \${#list[${code}]}`,
  (code) => `echo \${!name/${code}/}`,
  (code) => `case a in ${code}) echo;; esac`,
  (code) => `case a in b|${code}) echo;; esac`,
  (code) => `select x in ${code}; do echo; done`,
  (code) => `for x in ${code}; do echo; done`,
  (code) => `for ((i = ${code}; i < 1; i++)); do echo; done`,
  (code) => `[[ -v a[${code}] ]]; echo`,
  (code) => `[[ a == b[${code}]* ]]; echo`,
  (code) => `[[ x =~ ${code} ]]; echo`,
  (code) => `echo a[${code}]`,
  (code) => `echo @(a|${code})`,
  (code) => `echo {1..${code}}`,
  (code) => `echo {a,${code}}`,
  (code) => `echo $((1 + ${code}))`,
  (code) => `((x = ${code})); echo`,
  (code) => `list[${code}]=1; echo`,
  (code) => `list=([${code}]=1); echo`,
  (code) => `cat <<E\n${code}\nE`,
  (code) => `cat <<< ${code}`,
  (code) => `echo > ${code}`,
  (code) => `{ echo; } 2> ${code}`,
  (code) => `f() { echo ${code}; }`,
  (code) => `echo "a \${x:-"\${y/z/${code}}"}"`,
];

const seen = (line: string): boolean => {
  const { commands, dynamic } = analyseShell(line);
  return dynamic || commands.some(({ name, args }) => name === "rm" && args.includes("precious"));
};

describe("what a substitution runs is listed wherever it is written", () => {
  it.each(PLACES.map((place) => place("$(rm precious)")))(
    "what a substitution runs is listed: %s",
    (line) => {
      expect(seen(line)).toBe(true);
    },
  );

  it("in backquotes too, and inside other substitutions, however deep", () => {
    const inner = fc.constantFrom<string[]>("$(rm precious)", "`rm precious`", "$(true; rm precious)");
    const places = fc.array(fc.constantFrom(...PLACES), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(inner, places, (code, around) => {
        const line = around.reduce((text, place, at) => place(at === 0 ? text : `$(${text}\n)`), code);
        expect(seen(line), line).toBe(true);
      }),
    );
  });

  it("each command of a substitution is seen only once", () => {
    const { commands } = analyseShell('echo "$(date)" ${x/a/$(id)} a[$(uname)]');
    expect(commands.map(({ name }) => name).sort()).toEqual(["date", "echo", "id", "uname"]);
  });
});

describe("text that bash reads as code is no plain text", () => {
  it.each(["x='$(rm precious)'; echo ${x@P}", "echo ${PS1@P}"])(
    "what a substitution runs is seen: %s",
    (line) => {
      expect(seen(line)).toBe(true);
    },
  );

  it.each([
    "awk '{ a[$(1)] = 1 }' file",
    "grep 'a[$(b)]' file",
    "i=1; echo ${list[i]} $((i + 1))",
    "[[ $count -eq 1 ]] && echo one",
    "echo ${x@Q} ${x^^} ${x/a/b}",
    "case $x in a*) ls;; esac",
    "echo {1..3} a[bc]*",
  ])("and what it does not read so is: %s", (line) => {
    expect(analyseShell(line).dynamic).toBe(false);
  });
});
