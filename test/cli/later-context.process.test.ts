import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { eventually } from "../support/processes.ts";
import { newProject, type Project, shellCall } from "./support/project.ts";

const CALL = shellCall("ls");
const STOP = { hook_event_name: "Stop", stop_hook_active: false, last_assistant_message: "Done." };
const later = (text: string, event = "PreToolUse") =>
  JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: text } });

/** The context that Claude Code is given for a payload. */
async function contextOf(project: Project, payload: object): Promise<unknown> {
  const { stdout } = await project.hook(payload);
  return stdout === "" ? undefined : JSON.parse(stdout).hookSpecificOutput?.additionalContext;
}

/** What hooks have said that no event has taken yet. */
function waiting({ folder }: Project): number {
  const pending = join(folder, "state/tenterhook/pending");
  return existsSync(pending) ? readdirSync(pending).filter((name) => name.endsWith(".json")).length : 0;
}

/** A project with such commands as scripts; MARKS in them is a folder outside of it. */
async function withHooks(
  ...commands: readonly { readonly command: string; readonly async?: true }[]
): Promise<Project> {
  const project = newProject({ decidesHere: true });
  const hooks = commands.map((hook, index) => ({
    name: `hook-${index}`,
    type: "command",
    payload: "native",
    matcher: { events: ["PreToolUse", "Stop"] },
    ...hook,
    command: `sh hook-${index}.sh`,
  }));
  for (const [index, { command }] of commands.entries())
    project.write(`hook-${index}.sh`, command.replaceAll("MARKS", project.folder));
  await project.configure(hooks);
  return project;
}

it("what an async hook says comes with the session's next event that can take it, once", async () => {
  const command = `test -e MARKS/said || { touch MARKS/said; echo '${later("LATER")}'; }`;
  const project = await withHooks({ async: true, command });
  expect(await contextOf(project, CALL)).toBeUndefined();
  await eventually(() => expect(waiting(project)).toBe(1));
  expect((await project.hook(STOP)).stdout).toBe("");
  expect(await contextOf(project, { ...CALL, session_id: "another" })).toBeUndefined();
  const both = await Promise.all(
    [1, 2].map((id) => contextOf(project, { ...CALL, tool_use_id: `t${id + 1}` })),
  );
  expect(both.filter((text) => text !== undefined)).toEqual(["LATER"]);
  expect(await contextOf(project, { ...CALL, tool_use_id: "t4" })).toBeUndefined();
});

it.each([
  ["alone", [], undefined],
  ["next to another hook", [{ command: `echo '${later("NOW")}'` }], "NOW"],
])("a hook whose first line is async goes on in the background, %s", async (_, others, now) => {
  const command = `test -e MARKS/begun && exit 0; touch MARKS/begun; echo '{"async": true}'; while ! test -e MARKS/go; do sleep 0.05; done; echo noise >&2; echo '${later("LATER")}'; touch MARKS/ended`;
  const project = await withHooks({ command }, ...others);
  expect(await contextOf(project, CALL)).toBe(now);
  expect([waiting(project), existsSync(join(project.folder, "ended"))]).toEqual([0, false]);
  project.write("../go", "");
  await eventually(() => expect(waiting(project)).toBe(1));
  expect(existsSync(join(project.folder, "ended"))).toBe(true);
  const next = await contextOf(project, { ...CALL, tool_use_id: "t2" });
  expect(next).toBe(now === undefined ? "LATER" : "NOW\n\nLATER");
  expect(await contextOf(project, { ...CALL, tool_use_id: "t3" })).toBe(now);
});

it("a hook that has gone to the background can't refuse any more, and is ended when its time is over", async () => {
  const deny = JSON.stringify({ decision: "block", reason: "WHY" });
  const command = `touch MARKS/begun; echo '{"async": true, "asyncTimeout": 300}'; echo '${deny}'; sleep 600`;
  const project = await withHooks({ command });
  expect((await project.hook(CALL)).stdout).toBe("");
  await eventually(() => expect(existsSync(join(project.folder, "begun"))).toBe(true));
});
