import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { editTool } from "../../../src/agent/tools/edit.ts";
import { readTool } from "../../../src/agent/tools/read.ts";
import { writeTool } from "../../../src/agent/tools/write.ts";
import { runs } from "../../support/long.ts";
import { notLinux } from "../../support/not-here.ts";
import { endAfterTest } from "../../support/processes.ts";
import { type Workspace, workspace } from "./support/workspace.ts";

/** A workspace with a secret beside it and links that lead there. */
function withSecret(): Workspace {
  const made = workspace({ "in.txt": "inside", "deep/in.txt": "inside" });
  mkdirSync(join(made.outside, "other"));
  writeFileSync(join(made.outside, "other/secret"), "secret");
  writeFileSync(join(made.outside, "work-secret"), "secret");
  symlinkSync("../other/secret", made.path("link"));
  symlinkSync(join(made.outside, "other"), made.path("folder"));
  symlinkSync("../other/new", made.path("dangling"));
  symlinkSync("chain2", made.path("chain"));
  symlinkSync("folder/../other/secret", made.path("chain2"));
  symlinkSync("deep", made.path("inner"));
  return made;
}

/** Makes a folder a link to another one and back, as fast as it can; what a tool put in its way goes. */
const SWAPPER = `
const fs = require("node:fs");
const [folder, other] = process.argv.slice(1);
console.log("started");
const quietly = (step) => { try { step(); return true; } catch { return false; } };
const attempt = (step) => quietly(step) || quietly(() => fs.rmSync(folder, { recursive: true, force: true }));
for (;;) {
  attempt(() => fs.renameSync(folder, folder + ".kept"));
  attempt(() => fs.symlinkSync(other, folder));
  attempt(() => fs.unlinkSync(folder));
  attempt(() => fs.renameSync(folder + ".kept", folder));
}
`;

it("a folder that is swapped for a link again and again lets nothing out", async ({ skip }) => {
  skip(notLinux !== undefined, notLinux);
  const { run, path, write, outside } = withSecret();
  write("swapped/secret", "harmless");
  const other = join(outside, "other");
  const swapper = spawn(process.execPath, ["-e", SWAPPER, path("swapped"), other], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  endAfterTest(swapper);
  await once(swapper.stdout, "data");
  const seen = new Set<string>();
  for (let round = 0; round < runs(150); round += 1) {
    const memory = new Map();
    const read = await run(readTool, { file_path: "swapped/secret" }, { memory });
    seen.add(read.is_error ? "refused" : read.content);
    await run(writeTool, { file_path: `swapped/new${round}`, content: "x" }, { memory });
    await run(
      editTool,
      { file_path: "swapped/secret", old_string: "secret", new_string: "gone" },
      { memory },
    );
  }
  expect([...seen].filter((content) => content.includes("secret"))).toEqual([]);
  expect(readdirSync(other)).toEqual(["secret"]);
  expect(readFileSync(join(other, "secret"), "utf8")).toBe("secret");
});
