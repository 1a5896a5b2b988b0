import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { testHooks } from "tenterhook/testing";
import { expect, it } from "vitest";
import { trustProject } from "../../support/trust-project.ts";
import { project } from "./support.ts";

const PACKAGE = fileURLToPath(new URL("../../..", import.meta.url));

const CASES = `cases:
  - name: a force push is refused
    bash: git push --force
    expect: { action: deny }
  - name: staging is free
    bash: ls staging
    expect: { action: continue }
  - name: lint decides
    event: { tool_name: Write, tool_input: { file_path: a.ts, content: x } }
    expect: { action: continue }
`;

/** Runs a file of tests with `node --test`, in a project that has installed the package, and tells what each line reports. */
async function nodeTest(
  program: string,
): Promise<{ readonly code: number; readonly results: readonly string[] }> {
  const { folder, environment } = project({ ".tenterhook/tests/cases.yaml": CASES });
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(PACKAGE, join(folder, "node_modules/tenterhook"));
  writeFileSync(join(folder, "hooks.test.mjs"), program);
  const { code, stdout } = await new Promise<{ code: number; stdout: string }>((resolve) => {
    const args = ["--test", "--test-reporter=tap", "hooks.test.mjs"];
    execFile(process.execPath, args, { cwd: folder, env: environment }, (error, stdout) =>
      resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout }),
    );
  });
  const lines = stdout.split("\n").map((line) => line.trim());
  return { code, results: lines.filter((line) => /^(?:not )?ok \d+ - (?!.*hooks\.test\.mjs$)/.test(line)) };
}

it("each case is one test of node:test, which fails, passes or is skipped as the case does", async () => {
  const program = 'import { runCases } from "tenterhook/testing";\nawait runCases(".tenterhook/tests");\n';
  expect(await nodeTest(program)).toEqual({
    code: 1,
    results: [
      "ok 1 - a force push is refused",
      "not ok 2 - staging is free",
      "ok 3 - lint decides # SKIP lint would decide it: give the case a stub, or `run: true`.",
      "ok 4 - no-force-push decides: git push --force",
    ],
  });
});

it("hooks and a store are tested with node:test", async () => {
  const program = `
import assert from "node:assert";
import { after, test } from "node:test";
import { memoryStore } from "tenterhook/stores";
import { storeSuite, testHooks } from "tenterhook/testing";
const hooks = await testHooks(".");
after(() => hooks.close());
test("a force push is refused", async () => {
  const { action, hook } = await hooks.bash("git push --force");
  assert.deepEqual([action, hook], ["deny", "no-force-push"]);
});
for (const { name, run } of storeSuite(() => memoryStore(), { durable: false }).slice(0, 1)) test(name, run);
`;
  expect(await nodeTest(program)).toEqual({
    code: 0,
    results: ["ok 1 - a force push is refused", "ok 2 - gives back messages unchanged and in order"],
  });
});

it("a module is asked only in a folder whose files are trusted", async () => {
  const { folder, environment } = project({
    ".tenterhook/hooks.yaml":
      "hooks: { definitions: [{ name: guard, type: module, module: ./guard.mjs, matcher: { events: [PreToolUse] } }] }",
    "guard.mjs": 'export default () => ({ type: "deny", reason: "No." });',
  });
  const asked = async (source: string) => {
    const hooks = await testHooks(source, { environment });
    const { action, reason, not_evaluated } = await hooks.bash("ls");
    await hooks.close();
    return { action, reason, not_evaluated };
  };
  const untrusted = { action: "continue", reason: undefined, not_evaluated: ["guard"] };
  expect(await asked(join(folder, ".tenterhook/hooks.yaml"))).toEqual(untrusted);
  expect(await asked(folder)).toEqual(untrusted);
  await trustProject(folder, environment);
  expect(await asked(folder)).toEqual({ action: "deny", reason: "No.", not_evaluated: [] });
});
