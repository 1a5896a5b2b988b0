import { describe, expect, test } from "vitest";
import { filesBelow, read } from "./support/files.ts";
import { brokenRules } from "./support/house-rules.ts";

const sources = ["src", "test", "scripts", "bench", "examples"].flatMap((folder) =>
  filesBelow(folder, /\.(ts|mjs)$/),
);
const manifests = ["package.json", "bench/peers/package.json", "test/newer-node/package.json"];

test("no file is too long, silences a checker, says any, or leaves tests or work out", () => {
  expect(sources).toContain("src/index.ts");
  expect(sources.flatMap((file) => brokenRules(file, read(file)))).toEqual([]);
});

describe("a broken rule is found", () => {
  test.each([
    ["const a: any = 1;", "a.ts:1 says any."],
    ["const a = <any>b;", "a.ts:1 says any."],
    ["type A = Record<string, any>;", "a.ts:1 says any."],
    ["function a(...b: any[]) {}", "a.ts:1 says any."],
    ["\n// @ts-ignore", "a.ts:2 silences a checker."],
    ["// biome-ignore lint: no", "a.ts:1 silences a checker."],
    ["/* TODO */", "a.ts:1 leaves work behind; an issue is the place for it."],
    [
      "AbortSignal.timeout(1);",
      "a.ts:1 says AbortSignal.timeout, which garbage collection may end; see startDeadline.",
    ],
    ["test.only(a, b);", "a.ts:1 says .only, so tests do not run."],
    ["describe.skip(a, b);", "a.ts:1 says .skip, so tests do not run."],
    ["it.runIf(a)(b, c);", "a.ts:1 says .runIf, so tests do not run."],
    ["test.skipIf(a)(b, c);", "a.ts:1 says .skipIf, so tests do not run."],
  ])("in %j", (source, problem) => {
    expect(brokenRules("a.ts", source)).toEqual([problem]);
  });

  test("a file of 401 lines is found", () => {
    expect(brokenRules("a.ts", "a;\n".repeat(400))).toEqual([]);
    expect(brokenRules("a.ts", "a;\n".repeat(401))).toEqual(["a.ts has 401 lines; 400 is the limit."]);
  });

  test.each([
    'const a = "any"; // any',
    "AbortSignal.any([a]);",
    "const a = { any: 1 };",
    "iterator.skip(1);",
  ])("and what only looks like one is let be: %j", (source) => {
    expect(brokenRules("a.ts", source)).toEqual([]);
  });
});

test.each(manifests)("%s names exact versions", (file) => {
  const { dependencies, devDependencies }: Record<string, Record<string, string> | undefined> = JSON.parse(
    read(file),
  );
  const versions = Object.entries({ ...dependencies, ...devDependencies });
  expect(
    versions.filter(([, version]) => !/^(?:npm:@?[\w./-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)),
  ).toEqual([]);
});
