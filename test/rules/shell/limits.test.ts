import { beforeAll, describe, expect, it } from "vitest";
import { analyseShell, isPlainShell, loadShellParser } from "../../../src/rules/shell/analyse.ts";

beforeAll(loadShellParser);

describe("limits of the analysis", () => {
  it("gives up on a line of more than 65,536 characters", () => {
    expect(analyseShell(`echo ${"a".repeat(66_000)}`)).toEqual({
      commands: [],
      reads: [],
      writes: [],
      connects: [],
      dynamic: true,
      incomplete: true,
    });
    expect(analyseShell(`echo ${"a".repeat(60_000)}`).dynamic).toBe(false);
  });

  it.each<readonly [string, string]>([
    ["many commands", "true;".repeat(5_000)],
    ["deep subshells", `${"(".repeat(500)}ls${")".repeat(500)}`],
    ["deep substitutions", `${"echo $(".repeat(200)}ls${")".repeat(200)}`],
    ["many wrappers", `${"sudo ".repeat(1_000)}ls`],
    [
      "functions that call each other",
      "a(){ b;b; }; b(){ c;c; }; c(){ d;d; }; d(){ e;e; }; e(){ f;f; }; f(){ g;g; }; g(){ h;h; }; h(){ i;i; }; i(){ ls;ls; }; a;a",
    ],
    ["values that double", `x=aaaaaaaaaa; ${"x=$x$x; ".repeat(40)} $x`],
    ["braces that multiply", `${"{a,b}".repeat(20)}`],
    ["many moved files", Array.from({ length: 40 }, (_, at) => `mv a${at} b${at}`).join("; ")],
    ["texts in texts", `${"eval eval ".repeat(60)}ls`],
  ])("stays bounded and says so: %s", (_name, line) => {
    const analysis = analyseShell(line);
    expect(analysis.dynamic).toBe(true);
    expect(analysis.commands.length).toBeLessThanOrEqual(512);
  });

  it("walks a loop over many values with a few of them, and once with an unknown one", () => {
    const words = Array.from({ length: 60 }, (_, at) =>
      String.fromCodePoint(97 + (at % 26)).repeat(1 + at / 26),
    );
    const line = (values: readonly string[]) => `for f in ${values.join(" ")}; do cat "$f"; cp "$f" x; done`;
    const many = analyseShell(line([...words, ".env"]));
    expect(many.commands.length).toBe(34);
    expect(many.reads).toContain(".env");
    expect(many.reads).toContain("$f");
    const numbered = analyseShell(line(words.map((_, at) => `file${at}.txt`)));
    expect(numbered.reads).toEqual(["file59.txt", "$f"]);
    const few = analyseShell(line(words.slice(0, 16)));
    expect(few.reads).toEqual(words.slice(0, 16));
    const nested = `for a in ${words.join(" ")}; do for b in ${words.join(" ")}; do cp $a $b; done; done`;
    expect(analyseShell(nested).commands.length).toBeLessThan(70);
    expect(analyseShell(`for c in ${words.join(" ")} rm; do $c -rf src; done`).dynamic).toBe(true);
  });

  it("comes to an end with texts made to keep it busy", () => {
    // A search that does not grow in proportion to the text would outlast the test.
    const hostile = [
      (n: number) => `echo ${'"'.repeat(n)}`,
      (n: number) => `python3 -c '${"os.system(".repeat(n / 10)}'`,
      (n: number) => `curl ${"$(".repeat(n / 2)}`,
      (n: number) => `awk '${"`".repeat(n)}'`,
      (n: number) => `psql -c '${"delete from ".repeat(n / 12)}'`,
      (n: number) => `echo ${"{a,".repeat(n / 3)}`,
      (n: number) => `cat ${"../".repeat(n / 3)}`,
    ];
    const lines = hostile.map((make) => make(30_000));
    expect(lines.map((line) => analyseShell(line))).toHaveLength(lines.length);
  });

  it("knows a plain line by its look", () => {
    const lines = ["ls -la src", "git push origin feature/x", "npm run build", "rm -rf ~/x", "docker ps -a"];
    expect(lines.filter(isPlainShell)).toEqual(lines);
    const others = [
      "ls; rm x",
      "echo 'a'",
      "echo $X",
      "sudo rm x",
      "sh -c ls",
      "X=1 ls",
      "ls > x",
      "ls *",
      "find . -delete",
      "git -c core.pager=rm log",
      "docker exec x rm y",
      "a\nb",
      "ls &",
      "if x",
      "",
    ];
    expect(others.filter(isPlainShell)).toEqual([]);
  });
});
