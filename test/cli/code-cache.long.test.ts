import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../repository/support/files.ts";
import { codeFolder, newProject, type Project, shellCall } from "./support/project.ts";
import { startCli } from "./support/run-cli.ts";

const DENIES = {
  name: "no-push",
  type: "inline",
  matcher: { events: ["PreToolUse"] },
  rules: 'command contains "git push" -> deny("Not from here.")',
};
const REFUSAL = {
  hookSpecificOutput: {
    hookEventName: "PreToolUse",
    permissionDecision: "deny",
    permissionDecisionReason: "Not from here.",
  },
};
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

function codeFiles(project: Project): readonly string[] {
  return readdirSync(codeFolder(project)).filter((name) => name.endsWith(".cjs"));
}

/** Each file of compiled code, with what changes when it is written again. */
function editions(project: Project): readonly string[] {
  return codeFiles(project).map((name) => `${statSync(join(codeFolder(project), name)).ino} ${name}`);
}

it("never believes compiled code that is damaged, or that others may write", async () => {
  const project = newProject({ cached: true, compiles: true });
  await project.configure([DENIES]);
  await project.hook(shellCall("git push"));
  const cache = codeFolder(project);
  for (const name of codeFiles(project)) {
    const bytes = readFileSync(join(cache, name));
    bytes[100] = (bytes[100] ?? 0) ^ 1;
    writeFileSync(join(cache, name), bytes);
    expect(statSync(join(cache, name)).mode & 0o777).toBe(0o600);
  }
  expect(JSON.parse((await project.hook(shellCall("git push"))).stdout)).toEqual(REFUSAL);
});

it("reads compiled code where the system has no owners of files, as on Windows", async () => {
  const project = newProject({ compiles: true });
  const preload = project.write("windows.cjs", "delete process.getuid;\n");
  const environment = { ...project.environment, NODE_OPTIONS: `--require=${preload}` };
  const version = () => startCli(project.cwd, environment, ["--version"]);
  await version();
  await version();
  for (const name of codeFiles(project)) chmodSync(join(codeFolder(project), name), 0o666);
  const second = editions(project);
  expect((await version()).code).toBe(0);
  expect(editions(project)).toEqual(second);
});

it("two installations of different versions leave each other's compiled code alone", async () => {
  const project = newProject({ compiles: true });
  const other = join(project.folder, "other");
  for (const path of ["package.json", "schema", "dist/tenterhook.cjs", "dist/commands"])
    cpSync(join(ROOT, path), join(other, path), { recursive: true });
  const program = join(other, "dist/tenterhook.cjs");
  const entry = join(other, "dist/commands/main.cjs");
  writeFileSync(entry, readFileSync(entry, "utf8").replace(/\}\)$/, ";\n})"));
  const version = async () => {
    expect((await project.start(["--version"])).code).toBe(0);
    const { cwd, environment: env } = project;
    expect(spawnSync(process.execPath, [program, "--version"], { cwd, env }).status).toBe(0);
  };
  await version();
  await version();
  const second = editions(project);
  await version();
  expect(editions(project)).toEqual(second);
});

it("removes compiled code that nothing has used for a week", async () => {
  const project = newProject({ compiles: true });
  await project.start(["--version"]);
  const used = codeFiles(project);
  const [left, recent] = ["v1-x64-main.cjs", "v2-x64-main.cjs"].map((name) =>
    join(codeFolder(project), name),
  );
  for (const [file = "", days] of [
    [left, 8],
    [recent, 6],
  ] as const) {
    writeFileSync(file, "");
    const then = new Date(Date.now() - days * DAY_MILLISECONDS);
    utimesSync(file, then, then);
  }
  rmSync(join(codeFolder(project), ".tidied"), { force: true });
  await project.start(["--version"]);
  expect(codeFiles(project)).toEqual([...used, "v2-x64-main.cjs"].sort());
});
