import { join } from "node:path";
import { expect, it } from "vitest";
import { projectDaemon } from "../monitor/support/test-daemon.ts";
import { newProject } from "./support/project.ts";

it.each([
  ["is opened in the browser", ["xdg-open", "open"], true],
  ["is a link where no program opens links, and does not claim more", [], false],
])("the dashboard %s", async (_, programs, isOpened) => {
  const project = newProject();
  await projectDaemon(project);
  for (const program of programs) project.write(`bin/${program}`, "#!/bin/sh\n");
  project.environment.PATH = join(project.cwd, "bin");
  const { stdout } = await project.run(["dashboard"]);
  expect(stdout).toMatch(/^ {2}http:\/\/127\.0\.0\.1:\d+\/#login=/);
  expect(stdout.includes("Opened in your browser.")).toBe(isOpened);
});
