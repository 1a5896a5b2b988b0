import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newProject, type Project } from "./support/project.ts";

const backupsOf = ({ folder }: Project) => {
  const backups = join(folder, "state/tenterhook/backups");
  const names = existsSync(backups) ? readdirSync(backups) : [];
  return names.map((name) => readFileSync(join(backups, name), "utf8"));
};

const CASES = "cases:\n  - name: mine\n    bash: ls\n";
const USER = "# mine\nhooks:\n  timeout: 20\n";

describe("a command that replaces a file stores it as it was, and says where", () => {
  it.each([
    [["replay", "--save", "mine.yaml"], "mine.yaml", CASES],
    [["test", "mine.yaml", "--update"], "mine.yaml", CASES],
    [["daemon", "stop", "--for-good"], "../config/tenterhook/hooks.yaml", USER],
  ])("%j", async (args, file, before) => {
    const project = newProject();
    project.write(file, before);
    const { stdout, stderr } = await project.run(args);
    expect(readFileSync(join(project.cwd, file), "utf8")).not.toBe(before);
    expect(backupsOf(project)).toEqual([before]);
    expect(stdout + stderr).toMatch(/backup: \S+/);
  });
});
