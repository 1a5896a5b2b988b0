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
  it("waits for a login shell that takes its time", async () => {
    const project = await withProgram();
    const { HOME = "", PATH } = project.environment;
    mkdirSync(HOME, { recursive: true });
    writeFileSync(join(HOME, ".bash_profile"), `sleep 6; export PATH='${PATH}'\n`);
    expect((await project.run(["install", "cursor", "-v"])).stdout).not.toContain("login shell");
  });
});
