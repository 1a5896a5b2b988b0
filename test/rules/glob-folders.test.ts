import { describe, expect, it } from "vitest";
import { compileGlob } from "../../src/core/match/glob.ts";

describe("folders of any depth said twice", () => {
  it.each([
    ["**/**/a", "a", true],
    ["**/**/**/a", "x/y/a", true],
    ["x/**/**/a", "x/a", true],
    ["x/**/**/a", "xa", false],
    ["**/**", "x/y", true],
    ["**/**/**", "x", true],
    ["**/*/**/a", "a", false],
  ])("%s and %s: %s", (pattern, path, expected) => {
    expect(compileGlob(pattern, { kind: "path" })(path)).toBe(expected);
  });
});
