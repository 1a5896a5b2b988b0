import { spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT, temporaryFolder } from "./support/files.ts";

test("npm start in a clone where nothing is installed says what to run first", () => {
  const clone = temporaryFolder();
  cpSync(join(ROOT, "scripts"), join(clone, "scripts"), { recursive: true });
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/start.mjs"], {
    cwd: clone,
    encoding: "utf8",
  });
  expect([status, stdout, stderr]).toEqual([1, "", "Run npm install first.\n"]);
});
