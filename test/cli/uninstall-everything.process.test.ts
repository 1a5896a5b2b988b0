import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, it } from "vitest";
import { isRunning } from "../../src/node/identity/process-identity.ts";
import { newProject, type Project, shellCall } from "./support/project.ts";
import { startCli } from "./support/run-cli.ts";
import { daemonPid, servedProject } from "./support/served-project.ts";

const GUARD = {
  name: "guard",
  type: "inline",
  matcher: { events: ["PreToolUse"] },
  rules: 'command contains "git push" -> deny("Not from here.")',
};
const AGENTS = ["claude", "codex", "gemini", "cursor", "copilot", "qwen", "pi", "opencode", "cline"];

/** Every file and folder of a person, with its mode and its bytes. */
function snapshot({ folder }: Project): Readonly<Record<string, string>> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const mode = (lstatSync(path).mode & 0o777).toString(8);
      return [relative(folder, path), `${mode} ${entry.isFile() ? readFileSync(path, "base64") : "folder"}`];
    }),
  );
}

it("uninstall --everything leaves what was there before install, to the byte", async () => {
  const project = newProject({ decidesHere: true });
  await project.configure([GUARD]);
  project.write("../home/.claude/settings.json", '{\n  "model": "opus"}\n');
  project.write(".gemini/settings.json", '{"theme":"dark"}\n');
  await project.run(["uninstall", "--everything", "--yes"]);
  const before = snapshot(project);
  for (const scope of ["--user", "--project"])
    for (const agent of AGENTS) await project.run(["install", agent, scope]);
  await project.hook(shellCall("git push"));
  expect(Object.keys(snapshot(project)).length).toBeGreaterThan(Object.keys(before).length + AGENTS.length);
  const { code, stdout, stderr } = await project.run(["uninstall", "--everything", "--yes"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("Your configuration stays");
  expect(snapshot(project)).toEqual(before);
});

it("uninstall --everything puts imported hooks back to the byte, and takes the configuration that init wrote", async () => {
  const project = newProject();
  const hooks = '{"PostToolUse": [ {"matcher": "Edit", "hooks": [{"type": "command", "command": "true"}]} ]}';
  project.write("../home/.claude/settings.json", `{\n  "model": "opus",\n "hooks": ${hooks}}\n`);
  mkdirSync(join(project.folder, "state"), { mode: 0o700 });
  await project.run(["uninstall", "--everything", "--yes"]);
  const before = snapshot(project);
  await project.run(["init", "--user", "--yes"]);
  await project.run(["import", "claude", "--user", "--remove", "--yes"]);
  expect(snapshot(project)).not.toEqual(before);
  const { code, stdout } = await project.run(["uninstall", "--everything", "--yes"]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("which you had not changed, was deleted")]);
  expect(snapshot(project)).toEqual(before);
});

it.each([
  ["goes on past a broken file of an agent that never called us", "{ broken", 0],
  ["changes nothing while a broken file may call us", '{ broken "tenterhook hook"', 1],
])("uninstall --everything %s", async (_, broken, expected) => {
  const project = newProject();
  await project.configure([GUARD]);
  const hooks = { Stop: [{ hooks: [{ type: "command", command: "true" }] }] };
  const original = `${JSON.stringify({ hooks })}\n`;
  const settings = project.write("../home/.claude/settings.json", original);
  await project.run(["import", "claude", "--user", "--remove", "--yes"]);
  project.write("../home/.gemini/settings.json", broken);
  const before = snapshot(project);
  const { code } = await project.run(["uninstall", "--everything", "--yes"]);
  expect(code).toBe(expected);
  if (expected === 0) expect(readFileSync(settings, "utf8")).toBe(original);
  else expect(snapshot(project)).toEqual(before);
});

it("uninstall --everything takes no configuration that somebody has changed", async () => {
  const project = newProject();
  await project.run(["init", "--user", "--yes"]);
  const file = join(project.folder, "config/tenterhook/hooks.yaml");
  writeFileSync(file, `${readFileSync(file, "utf8")}# mine\n`);
  await project.run(["uninstall", "--everything", "--yes"]);
  expect(readFileSync(file, "utf8")).toContain("# mine");
});

it("uninstall --everything asks first, and changes nothing where nobody can be asked", async () => {
  const project = newProject();
  await project.configure([GUARD]);
  await project.run(["install", "claude"]);
  const before = snapshot(project);
  const { code, stderr } = await project.run(["uninstall", "--everything"]);
  expect([code, stderr.replaceAll(/\s+/g, " ")]).toEqual([
    1,
    expect.stringContaining("Nobody can be asked. --yes agrees."),
  ]);
  expect(snapshot(project)).toEqual(before);
});

it.each([
  ["an agent", ["cursor"], "cursor"],
  ["one file", ["--user"], "--user"],
  ["a dry run", ["--dry-run"], "--dry-run"],
])("uninstall --everything is not for %s: it changes nothing then", async (_, words, named) => {
  const project = newProject();
  await project.configure([GUARD]);
  await project.run(["install", "claude"]);
  const before = snapshot(project);
  const { code, stderr } = await project.run(["uninstall", ...words, "--everything", "--yes"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(`${named} does not fit`)]);
  expect(snapshot(project)).toEqual(before);
});

it("an agent takes nothing out, not even as a dry run", async () => {
  const project = newProject();
  await project.configure([GUARD]);
  const before = snapshot(project);
  const environment = { ...project.environment, CLAUDECODE: "1" };
  for (const more of [[], ["--dry-run"]])
    expect(
      (await startCli(project.cwd, environment, ["uninstall", "--everything", "--yes", ...more])).code,
    ).not.toBe(0);
  expect(snapshot(project)).toEqual(before);
});

it("uninstall --everything waits for the end of the daemon, which stores code in its cache until then", async () => {
  const project = await servedProject([GUARD]);
  const pid = daemonPid(project);
  expect(isRunning(pid)).toBe(true);
  const { code, stderr } = await project.run(["uninstall", "--everything", "--yes"]);
  expect({ code, stderr, isRunning: isRunning(pid) }).toEqual({ code: 0, stderr: "", isRunning: false });
});
