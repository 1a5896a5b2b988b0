import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeOutputFile } from "../../../src/agent/tools/bash/output-file.ts";
import { stateFolder } from "../../../src/node/user-folders.ts";

it("the output of a command is removed after a week, and nothing that is none", () => {
  const folder = join(stateFolder(), "output");
  mkdirSync(folder, { recursive: true });
  const days = (count: number): Date => new Date(Date.now() - count * 24 * 60 * 60 * 1000);
  for (const [name, time] of [
    ["old.txt", days(8)],
    ["young.txt", days(6)],
    ["old.md", days(8)],
  ] as const) {
    writeFileSync(join(folder, name), "");
    utimesSync(join(folder, name), time, time);
  }
  const file = makeOutputFile("call");
  file?.close();
  const names = readdirSync(folder).filter((name) => join(folder, name) !== file?.path);
  expect(names.sort()).toEqual([".tidied", "old.md", "young.txt"]);
});
