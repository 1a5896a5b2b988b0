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
  const wait = `for i in $(seq 1000); do ${marks} && exit 0; sleep 0.05; done; exit 1`;
  return imported(`hook-${number}`, `touch '${folder}/mark-${number}'; ${wait}`, more);
}

function configureUser({ folder }: Project, definitions: readonly object[]): void {
  mkdirSync(join(folder, "config/tenterhook"), { recursive: true });
  writeFileSync(join(folder, "config/tenterhook/hooks.yaml"), stringify({ hooks: { definitions } }));
}

describe("imported hooks of one event", () => {
  it("run at the same time when some are the user's, and some run in the background", async () => {
    const project = newProject({ decidesHere: true });
    const [first = {}, second = {}, ...rest] = NUMBERS.map((number) => meeting(project, number));
    configureUser(project, [first, imported("background", "true", { async: true }), second]);
    await project.configure([imported("log", "true", { async: true }), ...rest]);
    expect(await project.hook(shellCall("ls"))).toEqual({ code: 0, stdout: "", stderr: "" });
  });
});
