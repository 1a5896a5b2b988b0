import { readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hookServer } from "./support/hook-server.ts";
import { newProject, type Project, shellCall } from "./support/project.ts";
import { runCli } from "./support/run-cli.ts";

const ONCE = { name: "first", once: true, matcher: { events: ["PreToolUse"] } };

/** Puts the journals aside, as happens when they have grown. */
function rotate({ folder }: Project): void {
  const journals = join(folder, "state/tenterhook/journal");
  for (const name of readdirSync(journals).filter((file) => /^[^.]+\.jsonl$/.test(file)))
    renameSync(join(journals, name), join(journals, name.replace(".", ".20260101T000000000Z-00aa11.")));
}

describe("a hook that is asked once in a session", () => {
  it("runs once however long the journal has grown", async () => {
    const project = newProject({ decidesHere: true });
    const { asks, events } = await hookServer();
    await project.configure([{ ...ONCE, ...asks }]);
    await project.hook({ ...shellCall("ls"), tool_use_id: "a" });
    rotate(project);
    await project.hook({ ...shellCall("ls"), tool_use_id: "b" });
    expect(events).toHaveLength(1);
  });

  it("refuses until it is trusted, and then has its turn", async () => {
    const project = newProject({ decidesHere: true });
    const { asks, events } = await hookServer();
    await project.configure([{ ...ONCE, type: "command", command: "true" }]);
    project.write(
      ".tenterhook/hooks.yaml",
      JSON.stringify({ hooks: { definitions: [{ ...ONCE, ...asks }] } }),
    );
    const outputs: string[] = [];
    for (const tool_use_id of ["a", "b"])
      outputs.push((await project.hook({ ...shellCall("ls"), tool_use_id })).stdout);
    expect(outputs).toEqual([expect.stringContaining("untrusted"), expect.stringContaining("untrusted")]);
    await runCli(project.cwd, project.environment, "trust", "--yes");
    for (const tool_use_id of ["c", "d"]) await project.hook({ ...shellCall("ls"), tool_use_id });
    expect(events).toHaveLength(1);
  });
});

it("the ceiling on stops holds when the journal was put aside in between", async () => {
  const project = newProject({ decidesHere: true });
  const { asks } = await hookServer(() => ({ action: "deny", reason: "Go on." }));
  const hook = { name: "on", ...asks, matcher: { events: ["Stop"] } };
  await project.configure([hook], { limits: { stop_continuations: 2 } });
  const blocked: boolean[] = [];
  for (const [time, stop_hook_active] of [false, true, true].entries()) {
    const { stdout } = await project.hook({
      hook_event_name: "Stop",
      stop_hook_active,
      tool_use_id: `${time}`,
    });
    blocked.push(stdout.includes("block"));
    if (time === 0) rotate(project);
  }
  expect(blocked).toEqual([true, true, false]);
});
