import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../repository/support/files.ts";
import { compile, run } from "../repository/support/run.ts";
import { newProject } from "./support/project.ts";

it("tenterhook init --plugin --ts writes a package that compiles with its declarations, whose tests pass", async () => {
  const project = newProject({ decidesHere: true });
  const { cwd } = project;
  expect(await project.run(["init", "--ts"])).toMatchObject({
    stderr: expect.stringContaining("--plugin NAME --ts"),
  });
  expect(await project.run(["init", "--plugin", "tenterhook-acme", "--ts"])).toMatchObject({ code: 0 });
  const folder = join(cwd, "tenterhook-acme");
  mkdirSync(join(cwd, "node_modules/@types"), { recursive: true });
  symlinkSync(ROOT, join(cwd, "node_modules/tenterhook"));
  symlinkSync(join(ROOT, "node_modules/@types/node"), join(cwd, "node_modules/@types/node"));
  expect(await compile(folder, "-p", ".", "--pretty", "false")).toMatchObject({ output: "" });
  expect(readFileSync(join(folder, "dist/index.d.ts"), "utf8")).toContain(
    'import("tenterhook").PluginFunction',
  );
  expect(await run(folder, process.execPath, "--test", "dist/index.test.js")).toMatchObject({ code: 0 });
});

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
