import { expect, it } from "vitest";
import { inputText, subjectOf } from "../../src/shared/call-text.ts";

it.each([
  [{ command: "npm publish", description: "Publish the cart" }, "npm publish\nPublish the cart"],
  [{ command: "ls", timeout: 5000, run_in_background: true }, "ls\ntimeout: 5000\nrun in background: true"],
  [{ command: ["bash", "-lc", "ls"], workdir: "/srv" }, "bash -lc ls\nworkdir: /srv"],
  [{ file_path: "a.ts", limit: 20 }, "a.ts\nlimit: 20"],
  [
    { title: "Hi", labels: ["a", "b"], owner: { name: "Anna" } },
    "title: Hi\nlabels: a, b\nowner: name: Anna",
  ],
  [{ note: "one\ncommand: rm -rf ." }, "note: one\n  command: rm -rf ."],
  [{}, ""],
  ["text", "text"],
])("the input %j of a call is shown in words", (input, expected) => {
  expect(inputText(input)).toBe(expected);
});

it("a line about a call says its command, its file, or all of it", () => {
  expect(subjectOf({ description: "Publish", command: "npm publish" })).toBe("npm publish");
  expect(subjectOf({ file_path: "a.ts", content: "x" })).toBe("a.ts");
  expect(subjectOf({ title: "Hi", draft: true })).toBe("title: Hi, draft: true");
});
