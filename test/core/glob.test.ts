import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileGlob, compilePathGlob } from "../../src/core/match/glob.ts";
import { runs } from "../support/long.ts";

describe("a glob over text", () => {
  it.each<[string, string[], string[]]>([
    ["rm *", ["rm -rf /", "rm "], ["rm", "arm -x"]],
    ["*", ["", "a/b\nc"], []],
    ["a?c", ["abc", "a/c", "a🙂c"], ["ac", "abbc"]],
    ["[a-c]x", ["ax", "cx"], ["dx"]],
    ["[!a-c]x", ["dx", "/x"], ["ax"]],
    ["[]]", ["]"], ["["]],
    ["{a,b{c,d}}e", ["ae", "bce", "bde"], ["be", "abe"]],
    ["{,x}y", ["y", "xy"], ["x"]],
    ["\\*\\{", ["*{"], ["a{"]],
    ["plain", ["plain"], ["Plain", "plain "]],
    ["🙂*", ["🙂", "🙂x"], ["\ud83d"]],
  ])("%s", (pattern, fitting, others) => {
    const test = compileGlob(pattern, { kind: "text" });
    expect([fitting.map(test), others.map(test)]).toEqual([fitting.map(() => true), others.map(() => false)]);
  });

  it("ignores case when asked to", () => {
    expect(compileGlob("RM *", { kind: "text", ignoreCase: true })("rm -RF")).toBe(true);
    expect(compileGlob("Plain", { kind: "text", ignoreCase: true })("pLAIN")).toBe(true);
    expect(compileGlob("*Σ*", { kind: "text", ignoreCase: true })("ΟΔΟΣ")).toBe(true);
    const letters = compileGlob("[A-z]?", { kind: "text", ignoreCase: true });
    expect(["_x", "QX", "qx", "1x"].map(letters)).toEqual([true, true, true, false]);
  });
});

describe("a glob over paths", () => {
  it.each<[string, string[], string[]]>([
    ["src/*.ts", ["src/a.ts", "src/.ts"], ["src/a/b.ts", "src/a.tsx"]],
    ["src/**", ["src", "src/a", "src/a/b"], ["srcs", "a/src"]],
    ["**/a", ["a", "x/a", "x/y/a"], ["xa", "a/x"]],
    ["a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["a/xb", "ab"]],
    ["**", ["", "a", "a/b"], []],
    ["x/a**b", ["x/ab", "x/a/x/b"], ["x/a"]],
    ["**/**", ["", "a", "a/b"], []],
    ["a?b", ["axb"], ["a/b"]],
    ["a[!x]b", ["ayb"], ["a/b", "axb"]],
    ["*.{pem,key}", ["/etc/ssl/x.pem", "y.key", ".key"], ["x.pemx"]],
    [".env*", ["/a/.env", ".env.local"], ["/a/env"]],
  ])("%s", (pattern, fitting, others) => {
    const test = compilePathGlob(pattern);
    expect([fitting.map(test), others.map(test)]).toEqual([fitting.map(() => true), others.map(() => false)]);
  });
});

describe("a glob of any shape", () => {
  it("agrees with a matcher that simply tries everything", () => {
    const part = fc.constantFrom("*", "**", "?", "a", "b", "/", "[ab]", "[!a]", "{a,b/}", "**/");
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 6 }),
        fc.stringMatching(/^[ab/]{0,6}$/),
        fc.constantFrom("path", "text"),
        (parts, text, kind) => {
          const pattern = parts.join("");
          expect([pattern, compileGlob(pattern, { kind })(text)]).toEqual([
            pattern,
            naive(pattern, kind).test(text),
          ]);
        },
      ),
      { numRuns: runs(3000) },
    );
  });

  it("takes linear time on hostile text, whatever the pattern", () => {
    const text = "a/".repeat(30_000);
    for (const pattern of [
      "**/".repeat(50),
      "*a*a*a*a*a*a*a*b",
      `${"{a,aa,a/}".repeat(30)}b`,
      `${"?*".repeat(40)}b`,
    ]) {
      expect(typeof compileGlob(pattern, { kind: "path" })(text)).toBe("boolean");
    }
  });
});

/** The same language as a regular expression, for short texts. */
function naive(pattern: string, kind: "path" | "text"): RegExp {
  const one = kind === "text" ? "[^]" : "[^/]";
  let source = "";
  for (let at = 0; at < pattern.length; ) {
    const rest = pattern.slice(at);
    const stars = /^\*+/.exec(rest)?.[0] ?? "";
    const starts = at === 0 || pattern[at - 1] === "/";
    if (stars !== "") {
      at += stars.length;
      if (kind === "text" || stars.length === 1) source += `${one}*`;
      else if (starts && pattern[at] === "/") {
        source += "(?:[^]*/)?";
        at += 1;
      } else if (source.endsWith("/") && at === pattern.length) source = `${source.slice(0, -1)}(?:/[^]*)?`;
      else source += "[^]*";
      continue;
    }
    const token = /^(?:\?|\[!?ab?\]|\{a,b\/\}|.)/.exec(rest)?.[0] ?? "";
    at += token.length;
    if (token === "?") source += one;
    else if (token === "[!a]") source += kind === "text" ? "[^a]" : "[^a/]";
    else if (token === "{a,b/}") source += "(?:a|b/)";
    else source += token;
  }
  return new RegExp(`^(?:${source})$`, "u");
}
