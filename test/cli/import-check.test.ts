import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newProject } from "./support/project.ts";

const settings = (hooks: object) => JSON.stringify({ hooks });
const one = (command: string, matcher?: string, more: object = {}) => [
  { matcher, hooks: [{ type: "command", command, ...more }] },
];

describe("import --check", () => {
  it("runs nothing before somebody has agreed", async () => {
    const project = newProject();
    project.write(".claude/settings.json", settings({ Stop: one("touch ran") }));
    const { code, stderr } = await project.run(["import", "claude", "--check"]);
    expect([code, existsSync(join(project.cwd, "ran"))]).toEqual([1, false]);
    expect(stderr).toContain("They really run. Nobody can be asked.");
  });

  it("names the line of a file that is no payload", async () => {
    const project = newProject();
    project.write(".claude/settings.json", settings({ Stop: one("true") }));
    project.write("events.jsonl", "{}\nnonsense\n");
    const { code, stderr } = await project.run(["import", "claude", "--check", "--events", "events.jsonl"]);
    expect(code).toBe(2);
    expect(stderr).toContain("events.jsonl:2 is not a payload");
    expect(readFileSync(join(project.cwd, "events.jsonl"), "utf8")).toBe("{}\nnonsense\n");
  });
});
