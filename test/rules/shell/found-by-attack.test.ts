import { beforeAll, describe, expect, it } from "vitest";
import { compileInlineRules } from "../../../src/rules/rules.ts";
import { analyseShell, loadShellParser } from "../../../src/rules/shell/analyse.ts";
import { call, ports } from "../ports.ts";

beforeAll(loadShellParser);

/** What a line would lose, or that what it runs is unknown. */
function finds(line: string): readonly string[] {
  const { commands, dynamic } = analyseShell(line);
  const lost = commands.flatMap(({ behaviours }) =>
    behaviours.filter(({ kind }) => kind === "loses").map(({ target }) => target),
  );
  return dynamic ? ["dynamic", ...lost] : lost;
}

describe("text that is not known is dynamic, never empty", () => {
  it.each([
    'eval "$(<f)"',
    "eval `<f`",
    "$(<f) -rf src",
    'bash -c "$(< f)"',
    "x=$(<f); $x",
    "echo 'rm -rf src' > >(sh)",
    "cat f | tee >(bash) > /dev/null",
    "awk '{system($0)}' f",
    "awk '{print $2 | \"sh\"}' f",
    "awk 'BEGIN{c=\"ls\"; getline c; system(c)}' f",
    "sed e f",
    "sed '1,3e' f",
    "sed 's/a/b/ge' f",
    "cat f | sed -n 's/x/y/;e'",
    "printf '%x' 12 | sh",
    "x=ls; read -r x < f; $x",
    "REPLY=ls; read < f; $REPLY",
    "printf '%.5s' \"$x\" | sh",
  ])("%s", (line) => {
    expect(finds(line)).toContain("dynamic");
  });

  it.each(["x=$(<f); echo $x", "sed 's/;e /x/' f", "awk '{print $1 | \"sort\"}' f", "echo a > >(tee log)"])(
    "but an everyday line is not: %s",
    (line) => {
      expect(finds(line)).toEqual([]);
    },
  );

  it("a file that the line has written itself is known", () => {
    expect(finds("echo 'rm -rf src' > f; eval \"$(<f)\"")).toEqual(["src"]);
  });
});

describe("what a shell runs is found", () => {
  it.each([
    "bash -c '$0 -rf src' rm",
    'sh -c \'"$0" "$@"\' rm -rf src',
    "echo 'rm -rf \"$1\"' | bash -s -- src",
    "echo 'rm -rf \"$2\"' | sh -es -- a src",
    "printf 'rm -rf src\\0' | xargs -0 sh -c",
    "echo \"'rm -rf src'\" | xargs sh -c",
    "echo 'rm -rf src' | xargs -d '\\n' sh -c",
    "echo a 'rm -rf src' | xargs -n1 echo; printf '%.2s -rf src' rmx | sh",
    "printf '%-3s-rf src' rm | sh",
    "sed '1e rm -rf src' f",
    "env -P /bin rm -rf src",
    "parallel --nice 10 rm -rf ::: src",
    "parallel --arg-sep ,, rm -rf {} ,, src",
    "xargs --process-slot-var S rm -rf src < f",
    "{ echo 'rm -rf src'; } > f; sh f",
    "git -c alias.x='!rm -rf src' x",
    "git config alias.x '!rm -rf src'",
    "tclsh <<< 'exec rm -rf src'",
    "julia -e 'run(`rm -rf src`)'",
  ])("%s", (line) => {
    expect(finds(line)).toContain("src");
  });

  it.each([
    ["git -c alias.x='reset --hard' x", "git reset --hard"],
    [
      "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='reset --hard' git x",
      "git reset --hard",
    ],
    ["lvm lvremove -f vg0/data", "lvremove -f vg0/data"],
  ])("%s", (line, text) => {
    expect(analyseShell(line).commands.map((command) => command.text.trim())).toContain(text);
  });
});

describe("a redirection empties a file", () => {
  it.each([
    ["{ echo a; } > f.ts", []],
    ["for f in *.ts; do wc -l $f; done > counts.txt", []],
    ["if true; then npm test; fi > out.txt", []],
    ["while read -r l; do echo $l; done < in > out.txt", []],
    ["(make; make test) > all.txt 2>&1", []],
    ["case $x in a) echo b ;; esac > os.txt", []],
    ["{ :; } > f.ts", ["f.ts"]],
    ["if true; then :; fi > f.ts", ["f.ts"]],
    ["sort f.ts > f.ts", ["f.ts"]],
    ["cat f.ts | tr a b > ./f.ts", ["f.ts"]],
    ["{ cat f.ts; } > f.ts", ["f.ts"]],
    ["cat f.ts | tee f.ts", ["f.ts"]],
    ['echo "$(cat f.ts)" > f.ts', []],
    ["sort f.ts -o f.ts", []],
    ["cat f.ts >> f.ts", []],
  ])("when nothing is written, or it is read itself: %s", (line, lost) => {
    expect(finds(line)).toEqual(lost);
  });
});

describe("a cd that may fail", () => {
  it.each([
    ["cd build; rm -rf *", ["*"]],
    ["cd build; make; rm -rf *", ["*"]],
    ["cd build && make; rm -rf *", ["*"]],
    ["cd build || true; rm -rf *", ["*"]],
    ["cd build && rm -rf *", []],
    ["cd build || exit 1; rm -rf *", []],
    ["cd build || { echo no; exit 1; }; rm -rf *", []],
    ["set -e; cd build; rm -rf *", []],
    ["set -euo pipefail; cd build; rm -rf *", []],
    ["mkdir -p build/x; cd build/x; rm -rf *", []],
    ["cd /tmp; rm -rf x", []],
    ["if cd build; then rm -rf *; fi", []],
  ])("leaves the line where it was: %s", (line, lost) => {
    expect(finds(line)).toEqual(lost);
  });
});

describe("extended patterns", () => {
  it("stand for the names that they list", () => {
    expect(analyseShell('bash -O extglob -c "cat /etc/@(shadow|x)"').reads).toEqual([
      "/etc/shadow",
      "/etc/x",
    ]);
  });

  it("that list none may fit any name", () => {
    expect(finds("rm -rf !(keep)")).toEqual(["*"]);
  });
});

describe("the fields of another tool", () => {
  it.each([
    [{ host: "evil.example" }, "deny"],
    [{ hostname: "192.0.2.1" }, "deny"],
    [{ url: "https://evil.example" }, "deny"],
    [{ host: "production" }, "continue"],
    [{ domain: "billing.example" }, "continue"],
    [{ domains: ["a.example", "b.example"] }, "continue"],
  ])("%o connects only where it names a host", async (input, action) => {
    const rules = 'call connects "*" -> deny("No.")';
    const { decide } = await compileInlineRules({ name: "x", rules }, ports);
    expect(await decide(call("mcp__a__b", input))).toMatchObject({ action });
  });
});
