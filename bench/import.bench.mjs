import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sideBySide } from "./measure.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const PROCESSES = 60;

/** A project with the packed package and an empty one in its node_modules, as npm would leave them. */
function installedProject() {
  const project = mkdtempSync(join(tmpdir(), "tenterhook-bench-"));
  const modules = join(project, "node_modules");
  const empty = join(modules, "empty");
  mkdirSync(empty, { recursive: true });
  writeFileSync(join(project, "package.json"), '{ "type": "module" }');
  writeFileSync(
    join(empty, "package.json"),
    '{ "name": "empty", "type": "module", "exports": "./index.js" }',
  );
  writeFileSync(join(empty, "index.js"), "export {};\n");

  const pack = ["pack", "--ignore-scripts", "--silent", "--pack-destination", project];
  execFileSync("npm", pack, { cwd: root, stdio: "ignore" });
  const tarball = readdirSync(project).find((file) => file.endsWith(".tgz")) ?? "";
  execFileSync("tar", ["-xzf", tarball], { cwd: project });
  cpSync(join(project, "package"), join(modules, "tenterhook"), { recursive: true });
  return project;
}

/**
 * CPU milliseconds of a fresh process from its start until the import is done, as it tells itself.
 *
 * @param {string} project
 * @param {string} name
 */
function importing(project, name) {
  const program = `import "${name}"; const { user, system } = process.cpuUsage(); process.stdout.write(String(user + system));`;
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", program], { cwd: project });
  return Number(output) / 1000;
}

/** @type {readonly import("./benchmark.mjs").Benchmark[]} */
export default [
  {
    name: "import of the root",
    against: "an empty installed package",
    bound: 1.4,
    async measure() {
      const project = installedProject();
      try {
        const sides = await sideBySide(
          PROCESSES,
          () => importing(project, "tenterhook"),
          () => importing(project, "empty"),
        );
        return { ...sides, unit: "ms" };
      } finally {
        rmSync(project, { recursive: true, force: true });
      }
    },
  },
];
