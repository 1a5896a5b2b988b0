import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import { notLinux } from "../support/not-here.ts";
import { ROOT } from "./support/files.ts";

const PASSES = 'test("passes", () => {});';
const FAILS = 'test("fails", () => { expect("cat").toBe("dog"); });';
const LEAVES = 'test("leaves", () => { writeFileSync(join(tmpdir(), "forgotten"), ""); });';
const NEEDS = `needs("chromium");\n${PASSES}`;
const PRINTS = 'test("prints", () => { console.log("I am", "loud"); });';
const SKIPS = 'test("skips", ({ skip }) => skip("There is no moon."));';

/**
 * A run of these test files, by name, without chromium: its output before the summary of Vitest and after it, with paths without the
 * project's.
 */
function run(files: Readonly<Record<string, string>>, args: readonly string[] = [], settings: object = {}) {
  // There tests find Vitest.
  const folder = mkdtempSync(join(inject("sharedFolder"), "run-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    const imports = `import { writeFileSync } from "node:fs"; import { tmpdir } from "node:os";
import { join } from "node:path"; import { describe, expect, test } from "vitest"; import { needs } from "${ROOT}test/support/needs.ts";\n`;
    writeFileSync(join(folder, `${name}.test.ts`), `${imports}${text}\n`);
  }
  const setup = join(ROOT, "test/support/setup");
  writeFileSync(
    join(folder, "vitest.config.ts"),
    `import { ClosingLines } from "${setup}/closing-lines.ts";
export default { test: { runner: "${setup}/runner.ts", globalSetup: ["${setup}/run-folder.ts"],
reporters: [new ClosingLines(${JSON.stringify(settings)})], maxWorkers: 1, isolate: false } };\n`,
  );
  const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
  const { status, stdout } = spawnSync(process.execPath, [vitest, "run", "--root", folder, ...args], {
    encoding: "utf8",
    env: { ...process.env, PATH: folder, NO_COLOR: "1", GITHUB_ACTIONS: "", VITEST: undefined },
  });
  const [before = "", end = stdout] = stdout.replaceAll(`${folder}/`, "").split(/^ +Duration .*\n/m);
  return { status, before, end };
}

function endOfRun(...given: Parameters<typeof run>) {
  const { status, end } = run(...given);
  return { status, end };
}

test("a run in which everything passed ends with the counts", () => {
  expect(endOfRun({ a: PASSES, b: PASSES })).toEqual({
    status: 0,
    end: "\n\n2 passed, 0 failed, 0 skipped\n",
  });
});

test("failures come last before the counts, after what was left behind and what was not run by its reason", () => {
  const broken = `describe("a group", () => { ${SKIPS} });\n${SKIPS}\n${PASSES}`;
  expect(endOfRun({ a: `${LEAVES}\n${FAILS}`, b: broken, c: 'throw new Error("Not a test.");' })).toEqual({
    status: 1,
    end: `

Tests left something in their temporary folder:
forgotten

NOT RUN 2 tests in b.test.ts
  There is no moon.

FAILED a.test.ts > fails
  expected 'cat' to be 'dog' // Object.is equality
  at a.test.ts:4

FAILED c.test.ts
  Not a test.
  at c.test.ts:3

2 passed, 2 failed, 2 skipped
`,
  });
});

test("a run whose tests pass fails when one of them leaves something in its temporary folder", () => {
  expect(endOfRun({ a: LEAVES })).toEqual({
    status: 1,
    end: `

FAILED the run
  Tests left something in their temporary folder:
  forgotten

1 passed, 1 failed, 0 skipped
`,
  });
});

test("tests that have another name than the run was asked for are counted", () => {
  expect(endOfRun({ a: `${PASSES}\n${FAILS}` }, ["-t", "passes"])).toEqual({
    status: 0,
    end: `

NOT RUN 1 test in a.test.ts
  The run was asked for other names.

1 passed, 0 failed, 1 skipped
`,
  });
});

describe("a file that needs a program which is missing", () => {
  const reason = `NOT RUN 1 test in a.test.ts
  chromium is not installed: sudo apt-get update && sudo apt-get install chromium
`;

  test("is left out, with the command that would change that, and the others run", ({ skip }) => {
    skip(notLinux !== undefined, notLinux);
    expect(endOfRun({ a: NEEDS, b: PASSES })).toEqual({
      status: 0,
      end: `\n\n${reason}\n1 passed, 0 failed, 1 skipped\n`,
    });
  });

  test("fails a run that needs everything", ({ skip }) => {
    skip(notLinux !== undefined, notLinux);
    expect(endOfRun({ a: NEEDS, b: PASSES }, [], { needsEverything: true })).toEqual({
      status: 1,
      end: `

${reason}
FAILED the run
  Here every test must run.
  chromium is not installed: sudo apt-get update && sudo apt-get install chromium

1 passed, 1 failed, 1 skipped
`,
    });
  });

  test("is left out test by test where only some of its tests need it", () => {
    const some = `${PASSES}\ntest("one", () => needs("chromium"));
describe("a group", () => { needs("chromium"); ${FAILS} });`;
    expect(endOfRun({ a: some }).end).toContain("\n1 passed, 0 failed, 2 skipped\n");
  });
});

test("what passes is only counted; what a test printed is shown if it fails", () => {
  const loud = `${PRINTS}\n${FAILS.replace("expect", 'console.log("I fail"); expect')}`;
  const { before } = run({ a: PASSES, b: loud });
  expect(before).toMatch(/^1 of 2 files, 1 passed, [01] failed, \d+ s\n/m);
  expect(before).toMatch(/^2 of 2 files, 2 passed, 1 failed, \d+ s\n/m);
  expect(before).toContain("I fail");
  expect(before).toContain("failed: b.test.ts > fails\n");
  expect(before).not.toMatch(/I am loud|passes|prints/);
});

test("the slowest files are named on demand", () => {
  const { end } = run(
    { a: PASSES, b: 'test("slow", () => new Promise((done) => setTimeout(done, 2000)));' },
    [],
    {
      slowest: 1,
    },
  );
  expect(end).toMatch(
    /^\n\nThe slowest files:\n +\d+\.\d s {2}b\.test\.ts\n\n2 passed, 0 failed, 0 skipped\n$/,
  );
});
