import { existsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import makeRunFolders from "../support/setup/run-folder.ts";

/** Runs tests that leave files of these names; returns what the end of the run prints. */
function runThatLeaves(...names: readonly string[]): unknown {
  const before = { code: process.exitCode, folder: tmpdir() };
  onTestFinished(() => {
    process.exitCode = before.code;
  });
  const printed = vi.spyOn(console, "error").mockReturnValue();
  const end = makeRunFolders({ provide: () => {} });
  const folder = tmpdir();
  for (const name of names) writeFileSync(join(folder, name), "");
  end();
  expect([existsSync(folder), tmpdir()]).toEqual([false, before.folder]);
  return [process.exitCode ?? 0, ...printed.mock.calls];
}

test("a run that leaves nothing in its temporary folder passes", () => {
  expect(runThatLeaves()).toEqual([0]);
});

test("a run that leaves something in its temporary folder fails and names it", () => {
  expect(runThatLeaves("forgotten")).toEqual([
    1,
    ["Tests left something in their temporary folder:\nforgotten"],
  ]);
});
