import { expect, it } from "vitest";
import { newProject } from "./support/project.ts";

it("validate reports each rule of an async hook that would decide once, at its line", async () => {
  const project = newProject();
  project.write(
    ".tenterhook/hooks.yaml",
    `hooks:
  definitions:
    - name: late
      type: inline
      async: true
      matcher: { events: [PreToolUse] }
      rules: |
        command runs "rm" -> deny("no")
        command runs "mv" -> ask("sure?")
`,
  );
  const { stdout, code } = await project.run(["validate", "--json"]);
  const { errors } = JSON.parse(stdout);
  expect([code, errors.map(({ line }: { readonly line: number }) => line)]).toEqual([1, [8, 9]]);
});
