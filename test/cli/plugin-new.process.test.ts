import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../repository/support/files.ts";
import { run } from "../repository/support/run.ts";
import { newProject } from "./support/project.ts";

it("tenterhook init --plugin writes a package whose tests pass, and that a configuration uses once it is trusted", async () => {
  const project = newProject({ decidesHere: true });
  const { cwd } = project;
  expect(await project.run(["init", "--plugin", "@acme/hooks"])).toMatchObject({ code: 0 });
  expect(readdirSync(join(cwd, "hooks")).sort()).toEqual([
    "README.md",
    "hooks.yaml",
    "index.js",
    "index.test.js",
    "package.json",
  ]);
  // As `npm install` would.
  mkdirSync(join(cwd, "node_modules/@acme"), { recursive: true });
  symlinkSync(ROOT, join(cwd, "node_modules/tenterhook"));
  symlinkSync("../../hooks", join(cwd, "node_modules/@acme/hooks"));
  expect(await run(join(cwd, "hooks"), process.execPath, "--test")).toMatchObject({ code: 0 });
  await project.configure([], { use: ["npm:@acme/hooks"] });
  const call = (command: string) =>
    project.hook({
      hook_event_name: "PreToolUse",
      transcript_path: "/t",
      tool_name: "Bash",
      tool_input: { command },
    });
  expect((await call("sudo ls")).stdout).toContain("Work without sudo, or ask a person.");
  expect((await call("cd a && npm publish")).stdout).toContain("CI publishes.");
  expect((await call("ls")).stdout).not.toContain("deny");
});
