import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newProject, type Project, shellCall } from "./support/project.ts";

const ONCE = { name: "first", type: "command", once: true, matcher: { events: ["PreToolUse"] } };

/** How often the hook has run. */
function ranIn({ cwd }: Project): number {
  return readFileSync(join(cwd, "ran"), "utf8").length;
}

describe("a hook that is asked once in a session", () => {
  it("runs once beside its event too", async () => {
    const project = newProject({ decidesHere: true });
    await project.configure([{ ...ONCE, command: "printf x >> ran", async: true }]);
    for (const tool_use_id of ["a", "b"]) await project.hook({ ...shellCall("ls"), tool_use_id });
    await expect.poll(() => project.journal().filter(({ type }) => type === "run").length).toBe(1);
    expect(ranIn(project)).toBe(1);
  });
});

it("a hook beside its event runs where there is no folder for temporary files", async () => {
  const project = newProject({ decidesHere: true });
  const { once: _, ...later } = ONCE;
  await project.configure([{ ...later, command: "printf x >> ran", async: true }]);
  project.environment.TMPDIR = join(project.folder, "nowhere");
  await project.hook(shellCall("ls"));
  await expect.poll(() => project.journal().filter(({ type }) => type === "run").length).toBe(1);
  expect(ranIn(project)).toBe(1);
});
