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
  it("runs once when several events are decided at the same time", async () => {
    const project = newProject({ cached: true });
    await project.configure([{ ...ONCE, command: "printf x >> ran; sleep 0.5" }]);
    const ids = ["a", "b", "c"];
    await Promise.all(ids.map((tool_use_id) => project.hook({ ...shellCall("ls"), tool_use_id })));
    expect(ranIn(project)).toBe(1);
  });
});
