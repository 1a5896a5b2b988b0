import { describe, expect, it } from "vitest";
import { globsOverlap } from "../../src/core/match/glob-overlap.ts";
import { compileWhen } from "../../src/rules/compiled/when.ts";
import type { RuleEvent } from "../../src/rules/fields/judged-event.ts";
import { bash, call, ports } from "../rules/ports.ts";

describe("two globs overlap", () => {
  it.each([
    ["/a/.env", "/a/.e*", true],
    ["/a/.env", "/a/.[e]n?", true],
    ["/a/.env", "/a/*", true],
    ["/a/.env", "/a/x*", false],
    ["/a/b/.env", "/a/*", false],
    ["/a/**", "/a/*", true],
    ["/a/**", "/a", true],
    ["**/.env", "/x/y/.e*", true],
    ["**/.env", ".e*", true],
    ["/a/*.pem", "/a/key*", true],
    ["/a/{b,c}.pem", "/a/c*", true],
    ["/a/x?", "/a/y*", false],
    ["*", "/a", false],
    ["/a/B", "/a/b*", false],
    ["/a/.env", "/a/.[[:alpha:]]nv", true],
    ["/a/.env", "/a/.[^[:digit:][:upper:]]nv", true],
    ["/a/.env", "/a/.[[=e=]x]nv", true],
    ["/a/.env", "/a/.[:e:]nv", true],
    ["/a/.env", "/a/.[[:e:]nv", true],
    ["/a/.env", "/a/.[[:alpha:]]x", false],
  ])("%s and %s: %s", (first, second, expected) => {
    expect(globsOverlap(first, second, false)).toBe(expected);
    expect(globsOverlap(second, first, false)).toBe(expected);
  });

  it("two globs overlap without regard to case, when asked", () => {
    expect(globsOverlap("/a/B", "/a/b*", true)).toBe(true);
  });

  it("in time of the product of their lengths", () => {
    expect(globsOverlap("*a".repeat(400), `${"a*".repeat(400)}b`, false)).toBe(false);
  });
});

describe("a path with wildcards in a command", () => {
  const holds = async (condition: string, event: RuleEvent) => await compileWhen(condition, ports)(event);

  it.each([
    ["cat .e*", 'call reads ".env"', true],
    ["cat ~/.ssh/*", 'call reads "~/.ssh/id_rsa"', true],
    ["cat /etc/shad?w", 'command reads "/etc/shadow"', true],
    ["cat /etc/sha[[:lower:]]ow", 'call reads "/etc/shadow"', true],
    ["cat /etc/[[:lower:]]asswd", 'call reads "/etc/shadow"', false],
    ["rm -r src/*", 'call writes "src/main.ts"', true],
    ["cat src/*.ts", 'call reads ".env"', false],
    ["cat src/*", 'not call reads "src/**"', false],
    // It may read something else, so a rule against that has to fire.
    ["cat src/*", 'not call reads "src/*.ts"', true],
  ])("%s: %s is %s", async (line, condition, expected) => {
    expect(await holds(condition, bash(line))).toBe(expected);
  });

  it("is an ordinary name in the input of a file tool", async () => {
    expect(await holds('call reads "app/i/page.tsx"', call("Read", { file_path: "app/[id]/page.tsx" }))).toBe(
      false,
    );
    expect(await holds('call reads "app/**"', call("Read", { file_path: "app/[id]/page.tsx" }))).toBe(true);
  });
});
