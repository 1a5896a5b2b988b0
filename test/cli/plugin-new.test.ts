import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newProject } from "./support/project.ts";

it("tenterhook init --plugin replaces nothing, and wants a name that npm takes", async () => {
  const project = newProject();
  mkdirSync(join(project.cwd, "acme"));
  expect(await project.run(["init", "--plugin", "acme"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("acme exists already."),
  });
  expect(await project.run(["init", "--plugin", "../acme"])).toMatchObject({
    stderr: expect.stringContaining('"../acme" is not a name for a package'),
  });
});
