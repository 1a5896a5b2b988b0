import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { ROOT, temporaryFolder } from "../../repository/support/files.ts";

const SOURCE = join(ROOT, "examples/compare");

/** Expects that a program of examples/compare does the four tasks, with the packages of a folder. */
export function expectTasksDone(name: string, packages: string, program = process.execPath): void {
  const project = temporaryFolder();
  for (const file of readdirSync(SOURCE)) copyFileSync(join(SOURCE, file), join(project, file));
  mkdirSync(join(project, "node_modules"));
  for (const one of readdirSync(join(packages, "node_modules")).filter((file) => file[0] !== "."))
    symlinkSync(join(packages, "node_modules", one), join(project, "node_modules", one));
  if (packages === ROOT) symlinkSync(ROOT, join(project, "node_modules/tenterhook"));
  const { status, stdout, stderr } = spawnSync(program, ["run.mjs", name], {
    cwd: project,
    encoding: "utf8",
    timeout: 60_000,
    env: { PATH: process.env.PATH, TMPDIR: project, HOME: project, LANGSMITH_TRACING: "false" },
  });
  expect(status === 0 ? JSON.parse(stdout) : stderr).toEqual({
    block: [["git status"], true],
    rewrite: ["npm publish --dry-run"],
    context: true,
    keepGoing: [["npm test"], true, 2],
  });
}
