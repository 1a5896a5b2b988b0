import { describe, expect, it } from "vitest";
import { hookServer } from "./support/hook-server.ts";
import { newProject, shellCall } from "./support/project.ts";

/** A parallel hook that answers with the whole input, some of its fields changed. */
async function rewriting(name: string, change: object, on_failure: object = { default: "open" }) {
  const { asks } = await hookServer(({ tool_input }) => ({
    action: "modify",
    modified_data: { tool_input: { ...Object(tool_input), ...change } },
  }));
  return { name, ...asks, parallel: true, on_failure, matcher: { events: ["PreToolUse"] } };
}

describe("parallel hooks that rewrite one field", () => {
  it("conflict: the first rewrite counts, and the user reads of the other", async () => {
    const project = newProject({ decidesHere: true });
    await project.configure([
      await rewriting("a", { command: "ls -l" }),
      await rewriting("b", { command: "ls -a", description: "Lists." }),
    ]);
    const { stdout } = await project.hook(shellCall("ls"));
    expect(JSON.parse(stdout)).toEqual({
      systemMessage: 'Hook "b" failed (conflict): It changed command differently than another parallel hook.',
      hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: { command: "ls -l" } },
    });
  });

  it("refuse the call where the other hook says so", async () => {
    const project = newProject({ decidesHere: true });
    await project.configure([
      await rewriting("a", { command: "ls -l" }),
      await rewriting("b", { command: "ls -a" }, { default: "open", conflict: "closed" }),
    ]);
    const { stdout } = await project.hook(shellCall("ls"));
    expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({ permissionDecision: "deny" });
  });
});
