import { describe, expect, it } from "vitest";
import { globPattern } from "../../src/rules/operators/glob-pattern.ts";
import { requiredTexts } from "../../src/rules/operators/pattern.ts";
import { regexPattern } from "../../src/rules/operators/regex-pattern.ts";

const regex = (source: string) => requiredTexts(regexPattern(source));
const glob = (source: string, kind: "path" | "text" = "path") => requiredTexts(globPattern(source, kind));

describe("the texts a regular expression requires", () => {
  it.each([
    ["git push", [["git push"]]],
    ["\\bgit\\s+push\\s+(-\\w+\\s+)*WORD\\b", [["git"], ["push"], ["word"]]],
    ["(^|/)abc/.*\\.(ts|js|json)$", [["abc/"], [".ts", ".js"]]],
    ["colou?r", [["color", "colour"]]],
    ["(foo|bar)+x", [["foo", "bar"], ["x"]]],
    ["foo|", []],
    ["[ab]c", [["c"]]],
    ["[^a]bc", [["bc"]]],
    ["a{3}b", [["a"], ["b"]]],
    ["ab+?c", [["ab"], ["c"]]],
    ["[]a]b[[:alpha:]x]c[\\]]d", [["b"], ["c"], ["d"]]],
    ["a{b", [["a{b"]]],
    ["((a|b)c|d)e", [["ace", "bce", "de"]]],
    ["a)b", []],
    ["a{2}(?i)*", []],
    ["(".repeat(5000), []],
    ["a{0,3}b", [["b"]]],
    ["(?i)Foo(?:Bar)", [["foobar"]]],
    ["(?P<name>foo)\\.bar", [["foo.bar"]]],
    ["\\Qa.b\\E", []],
    ["a\\nb", [["a"], ["b"]]],
    ["x\\x41y", [["x"], ["y"]]],
    ["über", [["ber"]]],
    [".*", []],
    ["(?=x)y", []],
    ["a**", []],
    ["[", []],
  ])("of %s", (source, clauses) => {
    expect(regex(source)).toEqual(clauses);
  });
});

describe("the texts a glob requires", () => {
  it.each([
    ["**/secrets/**/*.{pem,key}", "path", [["secrets/"], [".pem", ".key"]]],
    ["src/**", "path", [["src"]]],
    ["*rm*-rf*", "text", [["rm"], ["-rf"]]],
    ["a[xy]b", "text", [["axb", "ayb"]]],
    ["a[!x]b", "text", [["a"], ["b"]]],
    ["a\\*b", "text", [["a*b"]]],
    ["{a,}b", "text", [["b"]]],
  ] as const)("of %s", (source, kind, clauses) => {
    expect(glob(source, kind)).toEqual(clauses);
  });
});
