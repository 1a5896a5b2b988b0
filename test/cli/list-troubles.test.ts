import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newProject } from "./support/project.ts";

it("every screen says of a hook whose script is gone that it is, and none asks for trust", async () => {
  const project = newProject();
  project.write("check.sh", "#!/bin/sh\n");
  await project.configure([
    { name: "check", type: "command", command: "./check.sh", matcher: { events: ["PreToolUse"] } },
  ]);
  rmSync(join(project.cwd, "check.sh"));
  const shown = async (...args: readonly string[]) =>
    (await project.run(args)).stdout.replaceAll(/\s+/g, " ");
  expect(await shown("list")).toContain("check PreToolUse script gone 0 1 hook, 1 will fail");
  expect(await shown("list", "check")).toContain("state not run: check.sh is gone; bring it back");
  expect(await shown("explain", "ls")).toContain(
    "check .tenterhook/hooks.yaml:3 not run: check.sh is gone. Next Bring back check.sh.",
  );
  expect(await shown("check")).toContain('Hook "check" will fail: There is no program ./check.sh.');
  for (const args of [["list"], ["list", "check"], ["explain", "ls"], ["check"], ["install", "claude", "-v"]])
    expect(await shown(...args)).not.toMatch(/tenterhook trust|not trusted|Trusted\./);
});

it("list NAME says what is wrong with a file that can't be read, not that it has no such hook", async () => {
  const project = newProject();
  project.write(".tenterhook/hooks.yaml", "hooks: [");
  const { code, stderr } = await project.run(["list", "check"]);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("hooks.yaml:1:") });
});
