import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { setEnabled } from "../../src/cli/hooks/set-enabled.ts";
import { hooksFile, project } from "../config/support/project.ts";

const refusal = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "done",
    (error: { code?: unknown; message?: unknown }) => [error.code, error.message],
  );

test("a managed hook stays on", async () => {
  const files = project({ "managed/hooks.yaml": hooksFile("policy") });
  const asked = setEnabled({ ...files.options, name: "policy", enabled: false });
  expect(await refusal(asked)).toEqual([
    "managed_hook",
    `policy is managed (${files.path("managed/hooks.yaml")}:4) and stays on.`,
  ]);
});

test("what a managed file turns off can't be turned on", async () => {
  const files = project({
    "managed/hooks.yaml": "hooks: { disabled: [mine] }",
    "user/tenterhook/hooks.yaml": hooksFile("mine"),
  });
  const asked = setEnabled({ ...files.options, name: "mine", enabled: true });
  expect(await refusal(asked)).toEqual(["write_failed", "mine is still off. No file was changed."]);
});

test("two at once both count", async () => {
  const files = project({ "hooks.yaml": hooksFile("one", "two", "three") });
  await files.trust();
  await Promise.all(
    ["one", "two", "three"].map((name) => setEnabled({ ...files.options, name, enabled: false })),
  );
  const { definitions } = await files.load();
  expect(definitions.map(({ name, enabled }) => [name, enabled])).toEqual([
    ["one", false],
    ["two", false],
    ["three", false],
  ]);
  expect(readFileSync(files.path("project/.tenterhook/hooks.local.yaml"), "utf8")).toContain("disabled:");
});
