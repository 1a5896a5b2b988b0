import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { newProject, type Project, shellCall } from "./support/project.ts";

const NUMBERS = [1, 2, 3, 4, 5, 6];

/** A hook as `import` writes it. */
function imported(name: string, command: string, more: object = {}): object {
  const matcher = { events: ["PreToolUse"] };
  const on_failure = { default: "open", untrusted: "closed" };
  return { name, type: "command", command, payload: "native", parallel: true, on_failure, matcher, ...more };
}

/** A hook that ends only when all six have begun. */
function meeting({ folder }: Project, number: number, more: object = {}): object {
  const marks = NUMBERS.map((other) => `test -e '${folder}/mark-${other}'`).join(" && ");
  const wait = `for i in $(seq 400); do ${marks} && exit 0; sleep 0.05; done; exit 1`;
  return imported(`hook-${number}`, `touch '${folder}/mark-${number}'; ${wait}`, more);
}

/** A hook that answers with the whole input, one field changed. */
function rewriting(name: string, change: object, more: object = {}): object {
  const program = `const event = JSON.parse(require("fs").readFileSync(0, "utf8"));
    const updatedInput = { ...event.tool_input, ...${JSON.stringify(change)} };
    console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput } }));`;
  return imported(name, `node -e '${program}'`, more);
}

function configureUser({ folder }: Project, definitions: readonly object[]): void {
  mkdirSync(join(folder, "config/tenterhook"), { recursive: true });
  writeFileSync(join(folder, "config/tenterhook/hooks.yaml"), stringify({ hooks: { definitions } }));
}

describe("imported hooks of one event", () => {
  it("run at the same time", async () => {
    const project = newProject({ cached: true });
    await project.configure(NUMBERS.map((number) => meeting(project, number)));
    expect(await project.hook(shellCall("ls"))).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("run at the same time when some are the user's, and some run in the background", async () => {
    const project = newProject({ cached: true });
    const [first = {}, second = {}, ...rest] = NUMBERS.map((number) => meeting(project, number));
    configureUser(project, [first, imported("background", "true", { async: true }), second]);
    await project.configure([imported("log", "true", { async: true }), ...rest]);
    expect(await project.hook(shellCall("ls"))).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("may each rewrite another field of the whole input", async () => {
    const project = newProject({ cached: true });
    await project.configure([
      rewriting("a", { command: "ls -l" }),
      rewriting("b", { description: "Lists." }),
      rewriting("c", {}),
    ]);
    const { stdout } = await project.hook(shellCall("ls"));
    expect(JSON.parse(stdout)).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        updatedInput: { command: "ls -l", description: "Lists." },
      },
    });
  });

  it("conflict when two rewrite one field: the first rewrite counts, and the user reads of the other", async () => {
    const project = newProject({ cached: true });
    await project.configure([
      rewriting("a", { command: "ls -l" }),
      rewriting("b", { command: "ls -a", description: "Lists." }),
    ]);
    const { stdout } = await project.hook(shellCall("ls"));
    expect(JSON.parse(stdout)).toEqual({
      systemMessage: 'Hook "b" failed (conflict): It changed command differently than another parallel hook.',
      hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: { command: "ls -l" } },
    });
  });

  it("refuse a conflict where the hook says so", async () => {
    const project = newProject({ cached: true });
    const on_failure = { default: "open", conflict: "closed" };
    await project.configure([
      rewriting("a", { command: "ls -l" }),
      rewriting("b", { command: "ls -a" }, { on_failure }),
    ]);
    const { stdout } = await project.hook(shellCall("ls"));
    expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({ permissionDecision: "deny" });
  });
});
