import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../repository/support/files.ts";
import { findRuntime } from "../repository/support/runtimes.ts";

const source = join(ROOT, "examples/compare");
/** Where the packages are installed, once for all runs. */
const folder = join(ROOT, "node_modules/.cache/tenterhook-compare");

let missing: string | undefined;

/** Installs what package.json names, unless that is there. */
function install(): string | undefined {
  mkdirSync(folder, { recursive: true });
  const wanted = readFileSync(join(source, "package.json"), "utf8");
  const marked = join(folder, "node_modules/installed.json");
  for (const file of readdirSync(source)) copyFileSync(join(source, file), join(folder, file));
  if (existsSync(marked) && readFileSync(marked, "utf8") === wanted) return undefined;
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error", "--prefer-offline"];
  try {
    execFileSync("npm", ["install", ...options, "--prefix", folder], { stdio: "pipe", timeout: 540_000 });
  } catch (error) {
    return `The packages could not be installed into ${folder}: ${error}`;
  }
  if (!existsSync(join(folder, "node_modules/tenterhook")))
    symlinkSync(ROOT, join(folder, "node_modules/tenterhook"), "dir");
  copyFileSync(join(source, "package.json"), marked);
  return undefined;
}

beforeAll(() => {
  missing = install();
}, 600_000);

describe("the same four tasks", () => {
  for (const name of ["tenterhook", "hookable", "tapable", "ai-sdk", "pi", "langchain"])
    it(`are done by ${name}`, { timeout: 90_000 }, ({ skip }) => {
      skip(missing !== undefined, missing);
      // AI SDK 7 needs Node 22.
      const runtime = findRuntime("Node 24");
      const program = "missing" in runtime ? process.execPath : runtime.program;
      const { status, stdout, stderr } = spawnSync(program, ["run.mjs", name], {
        cwd: folder,
        encoding: "utf8",
        timeout: 60_000,
        env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, HOME: folder, LANGSMITH_TRACING: "false" },
      });
      expect(status === 0 ? JSON.parse(stdout) : stderr).toEqual({
        block: [["git status"], true],
        rewrite: ["npm publish --dry-run"],
        context: true,
        keepGoing: [["npm test"], true, 2],
      });
    });
});
