import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { newProject, type Project } from "./support/project.ts";

const backupsOf = ({ folder }: Project) => {
  const backups = join(folder, "state/tenterhook/backups");
  const names = existsSync(backups) ? readdirSync(backups) : [];
  return names.map((name) => readFileSync(join(backups, name), "utf8"));
};

describe("tenterhook add", () => {
  it.each([
    [
      ".tenterhook/hooks.yaml",
      "# mine\nhooks:\n  use: [safe-shell] # one\n",
      "# mine\nhooks:\n  use: [safe-shell, git-safety] # one\n",
    ],
    [
      ".tenterhook/hooks.yaml",
      "hooks:\n  use:\n    - safe-shell\n  timeout: 9\n",
      "hooks:\n  use:\n    - safe-shell\n    - git-safety\n  timeout: 9\n",
    ],
    [
      ".tenterhook/hooks.json",
      '{ "hooks": { "timeout": 9 } }\n',
      '{ "hooks": {"use": ["git-safety"], "timeout": 9 } }\n',
    ],
    [".tenterhook/hooks.toml", "[hooks]\ntimeout = 9\n", '[hooks]\ntimeout = 9\nuse = [ "git-safety" ]\n'],
  ])(
    "adds a pack to %s, changes nothing else, keeps a copy and leaves it trusted",
    async (path, before, after) => {
      const project = newProject();
      const file = project.write(path, before);
      await project.run(["trust", "--yes"]);
      const { code, stdout } = await project.run(["use", "git-safety"]);
      expect([code, readFileSync(file, "utf8"), backupsOf(project)]).toEqual([0, after, [before]]);
      expect(stdout).not.toContain("tenterhook trust");
      expect(stdout).toContain("The pack git-safety is on");
      expect(stdout).toMatch(/backup: \S+/);
      const { hooks } = JSON.parse((await project.run(["list", "--json"])).stdout);
      const added = hooks.filter(({ pack }: { readonly pack?: string }) => pack === "git-safety");
      expect(added.length).toBeGreaterThan(0);
      expect(added.filter(({ trusted }: { readonly trusted: boolean }) => !trusted)).toEqual([]);
    },
  );

  it("leaves a file that waits for a review untrusted, and says so", async () => {
    const project = newProject();
    project.write(".tenterhook/hooks.yaml", "hooks: { timeout: 9 }\n");
    const { stdout } = await project.run(["use", "git-safety"]);
    expect(stdout).toContain("tenterhook trust   lets this take effect here");
    const { hooks } = JSON.parse((await project.run(["list", "--json"])).stdout);
    expect(hooks.map(({ trusted }: { readonly trusted: boolean }) => trusted)).toContain(false);
  });

  it("writes a file where there is none, for the user too, and says what is on already", async () => {
    const project = newProject();
    await project.run(["use", "safe-shell", "--user"]);
    const file = join(project.folder, "config/tenterhook/hooks.yaml");
    expect(readFileSync(file, "utf8")).toBe("hooks:\n  use: [safe-shell]\n");
    const { stdout } = await project.run(["use", "safe-shell", "--user"]);
    expect([stdout.includes("is on already"), backupsOf(project)]).toEqual([true, []]);
  });

  it("does not know a pack that is spelled differently, and writes nothing", async () => {
    const project = newProject();
    const { code, stderr } = await project.run(["use", "git-safty"]);
    expect([code, stderr.includes("git-safety")]).toEqual([2, true]);
    expect(existsSync(join(project.cwd, ".tenterhook"))).toBe(false);
  });
});

describe("tenterhook init where a configuration is", () => {
  const OWN = "hooks:\n  timeout: 9\n";
  it.each([["project"], ["user"]])(
    "of the %s replaces it only with --force, which keeps a copy",
    async (scope) => {
      const project = newProject();
      const option = scope === "user" ? ["--user"] : [];
      const file =
        scope === "user"
          ? join(project.folder, "config/tenterhook/hooks.yaml")
          : join(project.cwd, ".tenterhook/hooks.yaml");
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, OWN);
      const { code, stderr } = await project.run(["init", ...option, "--yes"]);
      expect([code, readFileSync(file, "utf8")]).toEqual([1, OWN]);
      expect(stderr).toContain("tenterhook add PACK adds packs to it");
      const forced = await project.run(["init", ...option, "--force"]);
      expect([forced.code, backupsOf(project)]).toEqual([0, [OWN]]);
      expect(forced.stdout).toMatch(/backup: \S+hooks\.yaml/);
    },
  );
});

it("disable keeps a copy of the file that it changes, and names it", async () => {
  const project = newProject();
  await project.configure([{ name: "a", type: "command", command: "true", matcher: { events: ["Stop"] } }]);
  const before = readFileSync(join(project.cwd, ".tenterhook/hooks.yaml"), "utf8");
  const { stdout } = await project.run(["disable", "a", "--project"]);
  expect([stdout.includes("backup:"), backupsOf(project)]).toEqual([true, [before]]);
});

it("init names the agents that it finds, and the hooks that they have, with the next step for each", async () => {
  const project = newProject();
  const settings = join(String(project.environment.HOME), ".claude/settings.json");
  mkdirSync(dirname(settings), { recursive: true });
  const group = (command: string) => ({ hooks: [{ type: "command", command }] });
  writeFileSync(settings, JSON.stringify({ hooks: { Stop: [group("a"), group("b")] } }));
  mkdirSync(join(String(project.environment.HOME), ".codex"));
  const { stdout } = await project.run(["init", "--yes"]);
  expect(stdout).toContain("tenterhook install claude codex ");
  expect(stdout).toContain("tenterhook import claude --user   2 hooks in your user settings");
});
