import { readFileSync, symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { setEnabled } from "../../src/cli/configured-hooks/set-enabled.ts";
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
    `policy is managed (${files.path("managed/hooks.yaml")}:4) and can't be disabled.`,
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

test("a link that the project brought does not lead to a file elsewhere", async () => {
  const files = project({ "hooks.yaml": hooksFile("one"), "elsewhere/mine.yaml": "hooks: {}\n" });
  symlinkSync(files.path("elsewhere/mine.yaml"), files.path("project/.tenterhook/hooks.local.yaml"));
  await files.trust();
  const local = files.path("project/.tenterhook/hooks.local.yaml");
  expect(await refusal(setEnabled({ ...files.options, name: "one", enabled: false }))).toEqual([
    "write_failed",
    `${local} leads out of the project, to ${files.path("elsewhere/mine.yaml")}; nothing was written.`,
  ]);
  expect(readFileSync(files.path("elsewhere/mine.yaml"), "utf8")).toBe("hooks: {}\n");
});

test("a link inside the project is followed, and so is one of the user's own", async () => {
  const files = project({
    "hooks.yaml": hooksFile("one"),
    "project/shared/local.yaml": "hooks: {}\n",
    "dotfiles/hooks.yaml": hooksFile("mine"),
    "user/tenterhook/readme": "",
  });
  symlinkSync("../shared/local.yaml", files.path("project/.tenterhook/hooks.local.yaml"));
  symlinkSync(files.path("dotfiles/hooks.yaml"), files.path("user/tenterhook/hooks.yaml"));
  await files.trust();
  await setEnabled({ ...files.options, name: "one", enabled: false });
  await setEnabled({ ...files.options, name: "mine", enabled: false });
  expect(readFileSync(files.path("project/shared/local.yaml"), "utf8")).toBe("hooks: { disabled: [one] }\n");
  expect(readFileSync(files.path("dotfiles/hooks.yaml"), "utf8")).toContain("disabled");
});

test("hooks of other files that have the same name are told of, since they go the same way", async () => {
  const files = project({ "hooks.yaml": hooksFile("same"), "user/tenterhook/hooks.yaml": hooksFile("same") });
  await files.trust();
  const changed = [files.path("user/tenterhook/hooks.yaml")];
  const also = ["project:same"];
  for (const enabled of [false, true])
    expect(await setEnabled({ ...files.options, name: "same", enabled })).toEqual({
      name: "same",
      enabled,
      changed,
      also,
      backups: [expect.any(String)],
    });
});
