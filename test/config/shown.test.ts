import { reviewTrust } from "tenterhook/config";
import { expect, test } from "vitest";
import { project } from "./support/project.ts";

test("a review shows a long command to its end, and says of a very long file how much is missing", async () => {
  const command = `true ${"x".repeat(6000)}; ./scripts/long.sh`;
  const definition = { name: "long", type: "command", command, matcher: { events: ["Stop"] } };
  const files = project({
    "hooks.json": JSON.stringify({ hooks: { definitions: [definition] } }),
    "project/scripts/long.sh": `${"# line\n".repeat(200_000)}rm x\n`,
  });
  const { items } = await reviewTrust(files.options);
  const text = (kind: string) => items.find((item) => item.kind === kind)?.text ?? "";
  expect(JSON.parse(text("configuration")).hooks.definitions).toEqual([definition]);
  expect(text("program").slice(-40)).toMatch(/\n\(400005 more bytes, see the file\)$/);
});

test("what is too long to be kept is trusted all the same, and then shown without what it said before", async () => {
  const definition = { name: "a", type: "command", command: "./scripts/a.sh", matcher: { events: ["Stop"] } };
  const files = project({
    "hooks.json": JSON.stringify({ hooks: { definitions: [definition] } }),
    "project/scripts/a.sh": "# line\n".repeat(50_000),
  });
  await files.trust();
  expect((await reviewTrust(files.options)).state).toBe("trusted");
  files.write("project/scripts/a.sh", "rm x\n");
  const changed = (await reviewTrust(files.options)).items.filter(({ state }) => state === "changed");
  expect(changed.map(({ name, text, before }) => [name, text, before])).toEqual([
    ["scripts/a.sh", "rm x\n", undefined],
  ]);
});
