import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { mustBeBuilt } from "../repository/support/files.ts";
import { shareCompiledCode } from "../support/shared-code.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { runCli, startCli, userEnvironment } from "./support/run-cli.ts";

beforeAll(mustBeBuilt);

/** A user with nothing, whose temporary folder can be looked through. */
function user() {
  const folder = temporaryFolder();
  const temporary = join(folder, "tmp");
  for (const path of [temporary, join(folder, "home")]) mkdirSync(path);
  shareCompiledCode(join(folder, "cache"));
  const mark = randomUUID();
  const env = userEnvironment(folder, { TMPDIR: temporary, DEMO_MARK: mark });
  return { folder, temporary, mark, env };
}

/** Loaded before the demo: while the release runs, it stands still most of the time, as on a busy machine. */
const SLOW = `
const { ChildProcess } = require("node:child_process");
const { spawn } = ChildProcess.prototype;
const stands = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
ChildProcess.prototype.spawn = function (options) {
  if (process.argv.includes("demo") && options.args.includes("run")) {
    const standing = setInterval(stands, 100);
    this.once("exit", () => clearInterval(standing));
  }
  return spawn.call(this, options);
};
`;

test("--keep leaves the folder, with a configuration that can be looked at; --json prints items, however slowly", async () => {
  const { folder, temporary, env } = user();
  writeFileSync(join(folder, "slow.cjs"), SLOW);
  const slow = { ...env, NODE_OPTIONS: `--require=${join(folder, "slow.cjs")}` };
  const { code, stdout } = await startCli(folder, slow, ["demo", "--keep", "--json"]);
  expect(code).toBe(0);
  const items = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const answers = items.flatMap(({ type, result }) => (type === "done" ? [result.text] : []));
  expect(answers).toEqual(["Now the test passes.", "1.0.0 is published, exactly once."]);
  const child = items.find(({ type }) => type === "subagent");
  const judged = items.flatMap(({ type, run }) =>
    type === "hook_end" && run.outcome?.action === "deny" ? [run.name] : [],
  );
  expect([child.agent_type, judged]).toEqual([
    "reviewer",
    ["safe-shell-files", "protect-production", "safe-shell-files"],
  ]);
  const [scratch = ""] = readdirSync(temporary);
  const workspace = join(temporary, scratch, "workspace");
  expect(readFileSync(join(workspace, "sum.mjs"), "utf8")).toBe(
    "// SPDX-License-Identifier: MIT\nexport const sum = (a, b) => a + b;\n",
  );
  expect(existsSync(join(workspace, "errors.log"))).toBe(true);
  expect(readFileSync(join(workspace, "published.log"), "utf8")).toBe("1.0.0\n");
  const { code: valid } = await runCli(workspace, env, "check", ".tenterhook/hooks.yaml");
  expect(valid).toBe(0);
});
