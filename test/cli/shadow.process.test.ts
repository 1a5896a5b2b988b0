import { expect, it } from "vitest";
import { eventually } from "../support/processes.ts";
import { newProject, shellCall } from "./support/project.ts";

const ON_CALLS = { matcher: { events: ["PreToolUse"] }, mode: "shadow" };

it("a shadow of either kind lets the call pass, and the journal says what it would have done", async () => {
  const project = newProject({ decidesHere: true });
  await project.configure([
    { name: "rule", type: "inline", rules: 'command contains "push" -> deny("No push.")', ...ON_CALLS },
    { name: "program", type: "command", command: "echo 'Not so fast.' >&2; exit 2", ...ON_CALLS },
  ]);
  const reply = await project.hook(shellCall("git push"));
  expect(reply).toEqual({ code: 0, stdout: "", stderr: "" });
  const would = () =>
    project
      .journal()
      .flatMap(({ runs }) => (Array.isArray(runs) ? runs : []))
      .flatMap((run) => (run.would === undefined ? [] : [[run.name, run.would.action, run.would.reason]]));
  await eventually(() =>
    expect(would().sort()).toEqual([
      ["program", "deny", "Not so fast."],
      ["rule", "deny", "No push."],
    ]),
  );
});
