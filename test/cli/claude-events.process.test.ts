import { expect, it } from "vitest";
import { newProject } from "./support/project.ts";

it.each<readonly [event: string, command: string, said: object]>([
  ["PreFoo", "echo 'Not that.' >&2; exit 2", { code: 2, stdout: "", stderr: "Not that.\n" }],
  ["WorktreeCreate", "echo /trees/one", { code: 0, stdout: "/trees/one", stderr: "" }],
  ["PreCompact", "echo 'Keep the names.'", { code: 0, stdout: "Keep the names.", stderr: "" }],
])(
  "a command says by its output and exit code what Claude Code is told of %s",
  async (name, command, said) => {
    const project = newProject({ decidesHere: true });
    const event = name === "PreCompact" ? name : `claude:${name}`;
    await project.configure([{ name: "hook", type: "command", command, matcher: { events: [event] } }]);
    expect(await project.hook({ hook_event_name: name, trigger: "auto" })).toEqual(said);
  },
);
