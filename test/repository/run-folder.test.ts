import { existsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import makeRunFolders from "../support/setup/run-folder.ts";

test("the temporary folders of a run are gone after it, with what tests have left in them", () => {
  const before = tmpdir();
  const provided = new Map<string, unknown>();
  const end = makeRunFolders({ provide: (name, value) => provided.set(name, value) });
  const folders = [tmpdir(), String(provided.get("unitFolder"))];
  expect(provided.get("temporaryFolders")).toEqual([...new Set(folders)]);
  for (const folder of folders) writeFileSync(join(folder, "forgotten"), "");
  end();
  expect([tmpdir(), ...folders.map((folder) => existsSync(folder))]).toEqual([before, false, false]);
});
