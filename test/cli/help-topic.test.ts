import { expect, it } from "vitest";
import { newProject } from "./support/project.ts";

it("a guide in a terminal has whole paragraphs, and neither pictures nor addresses of files", async () => {
  const project = newProject();
  const { stdout } = await project.run(["help", "monitor"]);
  expect(stdout).toMatch(
    /^Watch and answer: top, dashboard, phone\n\nYou run several agents\. .*needs you, and/,
  );
  expect(stdout).not.toMatch(/\.\.\/pictures|\.md\b/);
  const [paragraph = ""] = /^A state is known from[\s\S]*?(?=\n\n)/m.exec(stdout) ?? [];
  const lines = paragraph.split("\n").slice(0, -1);
  expect(lines.length).toBeGreaterThan(3);
  expect(lines.filter((line) => line.length < 80)).toEqual([]);
});
