import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { ROOT } from "./support/files.ts";

const PASSES = 'test("passes", () => {});';
const FAILS = 'test("fails", () => { expect("cat").toBe("dog"); });';
const LEAVES = 'test("leaves", () => { writeFileSync(join(tmpdir(), "forgotten"), ""); });';
const SKIPS = 'test("skips", ({ skip }) => skip("There is no moon."));';

/** The output of a run of these test files, by name, after the summary of Vitest; paths without the project's. */
function endOfRun(files: Readonly<Record<string, string>>, ...args: readonly string[]) {
  // There tests find Vitest.
  const folder = mkdtempSync(join(inject("sharedFolder"), "run-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    const imports = `import { writeFileSync } from "node:fs"; import { tmpdir } from "node:os";
import { join } from "node:path"; import { describe, expect, test } from "vitest";\n`;
    writeFileSync(join(folder, `${name}.test.ts`), `${imports}${text}\n`);
  }
  const setup = join(ROOT, "test/support/setup");
  writeFileSync(
    join(folder, "vitest.config.ts"),
    `import { ClosingLines } from "${setup}/closing-lines.ts";
export default { test: { globalSetup: ["${setup}/run-folder.ts"], reporters: [new ClosingLines()], maxWorkers: 1, isolate: false } };\n`,
  );
  const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
  const { status, stdout } = spawnSync(process.execPath, [vitest, "run", "--root", folder, ...args], {
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1", GITHUB_ACTIONS: "", VITEST: undefined },
  });
  const [, end = stdout] = stdout.split(/^ +Duration .*\n/m);
  return { status, end: end.replaceAll(`${folder}/`, "") };
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
  expect(endOfRun({ a: `${PASSES}\n${FAILS}` }, "-t", "passes")).toEqual({
    status: 0,
    end: `

NOT RUN 1 test in a.test.ts
  The run was asked for other names.

1 passed, 0 failed, 1 skipped
`,
  });
});
