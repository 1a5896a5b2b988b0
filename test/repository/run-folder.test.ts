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

test("a run whose unit tests leave something fails and names it", () => {
  const { exitCode } = process;
  onTestFinished(() => {
    process.exitCode = exitCode;
  });
  const printed = vi.spyOn(console, "error").mockReturnValue();
  const provided = new Map<string, string>();
  const end = makeRunFolders({ provide: (name, folder) => provided.set(name, folder) });
  const folder = provided.get("unitFolder") ?? "";
  writeFileSync(join(folder, "forgotten"), "");
  end();
  expect([process.exitCode, existsSync(folder)]).toEqual([1, false]);
  expect(printed.mock.calls).toEqual([["Tests left something in their temporary folder:\nforgotten"]]);
});
