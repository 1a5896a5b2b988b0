import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type ClaudeResult, type ClaudeRun, installHooks, runClaude } from "../support/claude.ts";
import { clientProject } from "../support/client.ts";

const LS = [["Bash", { command: "ls", description: "List files" }]] as const;

/** What Claude Code shows to its user. */
function shown({ messages }: ClaudeResult): string {
  return messages
    .flatMap(({ subtype, content }) => (subtype === "informational" ? [content] : []))
    .join("\n");
}

describe("a Stop hook that always gives the same reason", () => {
  async function loop(script: ClaudeRun["script"]): Promise<ClaudeResult> {
    const project = clientProject();
    project.write("more.sh", "#!/bin/sh\necho 'Tests fail.' >&2\nexit 2\n");
    const hook = { name: "more", type: "command", script: "more.sh", matcher: { events: ["Stop"] } };
    await installHooks(project, [hook], { more: { limits: { stop_continuations: 5 } } });
    return runClaude({ project, script: script ?? [] });
  }

  it("ends with the third stop when Claude Code calls no tool, and the user reads why", async () => {
    const result = await loop(["one", "two", "three", "four", "five", "six"]);
    expect([result.code, result.requests.length]).toEqual([0, 3]);
    expect(shown(result)).toContain("limits.same_stop_reason");
  });

  it("goes on up to the ceiling of a turn when it does", async () => {
    const result = await loop([
      LS,
      "one",
      LS,
      "two",
      LS,
      "three",
      LS,
      "four",
      LS,
      "five",
      LS,
      "six",
      "seven",
    ]);
    expect(result.requests.length).toBe(12);
    expect(shown(result)).toContain("limits.stop_continuations");
  });
});

describe("an agent with the settings of `tenterhook agent settings`", () => {
  const ID = "worker-1";
  const complete = [
    ["Bash", { command: `tenterhook emit agent:signal --agent ${ID} complete`, description: "Signal" }],
  ] as const;

  async function watched() {
    const project = clientProject();
    const { stdout } = await project.run(["agent", "settings", ID]);
    const file = stdout.trim();
    expect(JSON.parse(readFileSync(file, "utf8")).hooks.Stop).toBeDefined();
    return (script: ClaudeRun["script"]) =>
      runClaude({ project, script: script ?? [], args: ["--settings", file] });
  }

  it("goes on until it signals that it is done", async () => {
    const run = await watched();
    const result = await run(["one", LS, "two", "three", complete, "four", "five"]);
    expect([result.code, result.requests.length]).toEqual([0, 6]);
    expect(result.lastSent).toContain("When the task is done: tenterhook emit agent:signal");
  });

  it("is not let go by what another session signalled", async () => {
    const run = await watched();
    const first = await run([complete, "one", "two"]);
    expect(first.requests.length).toBe(2);
    const second = await run(["one", "two", complete, "three", "four"]);
    expect(second.requests.length).toBe(4);
  });

  it("stops at the ceiling, and the user reads why", async () => {
    const run = await watched();
    const result = await run([]);
    expect(result.requests.length).toBe(9);
    expect(shown(result)).toContain(
      "worker-1 stops without having signalled that it is done (limits.stop_continuations)",
    );
  });
});
