import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { newProject, type Project } from "./support/project.ts";
import { CLI } from "./support/run-cli.ts";

const GUARD = {
  name: "guard",
  type: "inline",
  matcher: { events: ["PreToolUse"], tools: ["Bash"] },
  rules: 'command contains "rm" -> deny("No.")',
};

/** A project whose user has our program on the PATH of the shell he uses. */
async function withProgram(): Promise<Project> {
  const project = newProject();
  const programs = join(project.folder, "bin");
  mkdirSync(programs);
  symlinkSync(CLI, join(programs, "tenterhook"));
  project.environment.PATH = [programs, process.env.PATH].join(delimiter);
  await project.configure([GUARD]);
  return project;
}

describe("install cursor", () => {
  it("says when the login shell in which Cursor starts hooks does not find our program", async () => {
    const project = await withProgram();
    const without = await project.run(["install", "cursor", "-v"]);
    expect(without.stdout.replaceAll(/\s+/g, " ")).toContain("starts hooks in a login shell");
    const { HOME = "", PATH } = project.environment;
    mkdirSync(HOME, { recursive: true });
    writeFileSync(join(HOME, ".bash_profile"), `export PATH='${PATH}'\n`);
    const found = await project.run(["install", "cursor", "-v"]);
    expect(found.stdout).not.toContain("login shell");
    expect((await project.run(["doctor"])).stdout).not.toContain("login shell");
  });

  it("is reported by doctor later", async () => {
    const project = await withProgram();
    await project.run(["install", "cursor", "-v"]);
    expect((await project.run(["doctor"])).stdout.replaceAll(/\s+/g, " ")).toContain(
      "starts hooks in a login shell",
    );
  });
});
