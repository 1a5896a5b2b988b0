import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newProject, shellCall } from "./support/project.ts";

it("promote shows the evidence, and puts a hook, a rule or a pack in force", async () => {
  const project = newProject({ decidesHere: true });
  project.write(
    ".tenterhook/hooks.yaml",
    `hooks:
  # Packs.
  use: [{ pack: git-safety, mode: shadow }]
  definitions:
    - name: no-push
      type: inline
      mode: shadow # for a week
      matcher: { events: [PreToolUse] }
      rules: command contains "push" -> deny("No push.")
    - name: no-mail
      type: inline
      matcher: { events: [PreToolUse] }
      rules: |
        command runs "sendmail" -> shadow deny("No mail.")
`,
  );
  await project.run(["trust", "--yes"]);
  await project.hook(shellCall("git push --force"));
  const seen = await Promise.all([["log"], ["list"], ["log", "--stats"]].map((args) => project.run(args)));
  const [log = "", list = "", stats = ""] = seen.map(({ stdout }) => stdout);
  expect(log).toMatch(/would deny .*git push --force .*No push\./);
  expect(list).toMatch(/no-push +PreToolUse +shadow +1 .* 1/);
  expect(stats).toMatch(/HOOK.* WOULD/);
  const shown = await project.run(["promote", "no-push", "--yes"]);
  expect(shown.stdout).toContain("no-push would have changed 1 call: deny 1.");
  expect(shown.stdout).toMatch(/ {2}deny .*git push --force {2}went on/);
  for (const name of ["no-mail", "git-safety"])
    expect((await project.run(["promote", name, "--yes"])).code).toBe(0);
  expect(readFileSync(join(project.cwd, ".tenterhook/hooks.yaml"), "utf8")).toBe(`hooks:
  # Packs.
  use: [git-safety]
  definitions:
    - name: no-push
      type: inline
      matcher: { events: [PreToolUse] }
      rules: command contains "push" -> deny("No push.")
    - name: no-mail
      type: inline
      matcher: { events: [PreToolUse] }
      rules: |
        command runs "sendmail" -> deny("No mail.")
`);
  const { stdout } = await project.hook(shellCall("git push --force"));
  expect(stdout).toContain("No push.");
  const again = await project.run(["promote", "no-push", "--yes"]);
  expect([again.code, again.stderr]).toEqual([0, ""]);
});

it("add --shadow adds a pack that only shows what it would do", async () => {
  const project = newProject();
  project.write(".tenterhook/hooks.yaml", "hooks:\n  use: [safe-shell]\n");
  await project.run(["trust", "--yes"]);
  await project.run(["use", "git-safety", "--shadow"]);
  expect(readFileSync(join(project.cwd, ".tenterhook/hooks.yaml"), "utf8")).toBe(
    "hooks:\n  use: [safe-shell, { pack: git-safety, mode: shadow }]\n",
  );
  const again = await project.run(["use", "git-safety", "no-network"]);
  expect(again.code).toBe(0);
  expect(readFileSync(join(project.cwd, ".tenterhook/hooks.yaml"), "utf8")).toBe(
    "hooks:\n  use: [safe-shell, { pack: git-safety, mode: shadow }, no-network]\n",
  );
});

it("promote says when the whole file is in shadow mode as well", async () => {
  const project = newProject();
  project.write(
    ".tenterhook/hooks.yaml",
    `hooks:
  mode: shadow
  definitions:
    - name: no-push
      type: inline
      mode: shadow
      matcher: { events: [PreToolUse] }
      rules: command contains "push" -> deny("No push.")
`,
  );
  await project.run(["trust", "--yes"]);
  const { code, stderr } = await project.run(["promote", "no-push", "--yes"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("is still in shadow mode")]);
});
