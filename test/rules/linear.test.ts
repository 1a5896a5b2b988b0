import { describe, expect, it } from "vitest";
import { compileWhen } from "../../src/rules/compiled/when.ts";
import type { RuleEvent } from "../../src/rules/fields/judged-event.ts";
import { bash, call, ports } from "./ports.ts";

const SIZE = 60_000;
const hostile = (unit: string, end: string) => unit.repeat(SIZE / unit.length) + end;
const holds = async (condition: unknown, event: RuleEvent) => await compileWhen(condition, ports)(event);

// A backtracking engine would not come back from any of these.
describe("hostile text ends in time", () => {
  it.each([
    ["(a+)+$", hostile("a", "!"), false],
    ["(.*)*x", hostile("a", "!"), false],
    ["(a|aa)+$", hostile("a", "!"), false],
    ["(a|a?)+$", hostile("a", "!"), true],
    ["([a-zA-Z]+)*$", hostile("a", "!"), true],
    ["^([a-zA-Z]+)*$", hostile("a", "!"), false],
    ["^(([a-z])+.)+[A-Z]([a-z])+$", hostile("a", "!"), false],
    ["(.*a){12}$", hostile("a", "!"), false],
    ["(x+x+)+y", hostile("x", "!"), false],
    ["^(\\w+\\s?)*$", hostile("aaaa ", "!"), false],
    ["\\s+$", hostile(" ", "x"), false],
    ["(\\d+,?)+;", hostile("1,", "!"), false],
    ['<(\\w+)(\\s+\\w+="[^"]*")*>', hostile('<a a="" ', "!"), false],
  ])("for matches %s", async (value, text, expected) => {
    expect(await holds({ field: "prompt", operator: "matches", value }, { prompt: text })).toBe(expected);
  });

  it.each([
    ["*a*a*a*a*a*a*a*a*b", hostile("a", "!")],
    [`${"{a,aa}".repeat(20)}*b`, hostile("a", "!")],
    [`${"?*".repeat(30)}b`, hostile("a", "!")],
  ])("for glob %s on text", async (value, text) => {
    expect(await holds({ field: "prompt", operator: "glob", value }, { prompt: text })).toBe(false);
  });

  it.each([["**/".repeat(30)], [`${"**/*a*/".repeat(10)}b`]])(
    "glob %s ends in time on a hostile path",
    async (value) => {
      const event = call("Read", { file_path: hostile("a/", "!") });
      expect(await holds({ field: "path", operator: "glob", value: `${value}b` }, event)).toBe(false);
    },
  );

  it("for a touched path of wildcards", async () => {
    expect(await holds('call reads "**/.env"', bash(`cat ${"[".repeat(SIZE)}`))).toBe(true);
    expect(await holds('call reads "**/.env"', bash(`cat ${"*a".repeat(1_500)}`))).toBe(false);
  });

  it("for the address in a prompt and the files of a patch", async () => {
    expect(await holds('call connects "x"', call("web_fetch", { prompt: hostile("a", ":/") }))).toBe(false);
    expect(
      await holds('call writes "x"', call("apply_patch", { input: hostile("*** Add File: ", "") })),
    ).toBe(false);
  });
});
