import { readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newProject, type Project, shellCall } from "./support/project.ts";
import { runCli } from "./support/run-cli.ts";

const ONCE = { name: "first", type: "command", once: true, matcher: { events: ["PreToolUse"] } };

/** How often the hook has run. */
function ranIn({ cwd }: Project): number {
  return readFileSync(join(cwd, "ran"), "utf8").length;
}

/** Puts the journals aside, as happens when they have grown. */
function rotate({ folder }: Project): void {
  const journals = join(folder, "state/tenterhook/journal");
  for (const name of readdirSync(journals).filter((file) => /^[^.]+\.jsonl$/.test(file)))
    renameSync(join(journals, name), join(journals, name.replace(".", ".20260101T000000000Z-00aa11.")));
}

describe("a hook that is asked once in a session", () => {
  it("runs once when several events are decided at the same time", async () => {
    const project = newProject({ cached: true });
    await project.configure([{ ...ONCE, command: "printf x >> ran; sleep 0.5" }]);
    const ids = ["a", "b", "c"];
    await Promise.all(ids.map((tool_use_id) => project.hook({ ...shellCall("ls"), tool_use_id })));
    expect(ranIn(project)).toBe(1);
  });

  it("runs once however long the journal has grown", async () => {
    const project = newProject({ cached: true });
    await project.configure([{ ...ONCE, command: "printf x >> ran" }]);
    await project.hook({ ...shellCall("ls"), tool_use_id: "a" });
    rotate(project);
    await project.hook({ ...shellCall("ls"), tool_use_id: "b" });
    expect(ranIn(project)).toBe(1);
  });

  it("refuses until it is trusted, and then has its turn", async () => {
    const project = newProject({ cached: true });
    await project.configure([{ ...ONCE, command: "true" }]);
    project.write(
      ".tenterhook/hooks.yaml",
      JSON.stringify({ hooks: { definitions: [{ ...ONCE, command: "printf x >> ran" }] } }),
    );
    const outputs: string[] = [];
    for (const tool_use_id of ["a", "b"])
      outputs.push((await project.hook({ ...shellCall("ls"), tool_use_id })).stdout);
    expect(outputs).toEqual([expect.stringContaining("untrusted"), expect.stringContaining("untrusted")]);
    await runCli(project.cwd, project.environment, "trust", "--yes");
    for (const tool_use_id of ["c", "d"]) await project.hook({ ...shellCall("ls"), tool_use_id });
    expect(ranIn(project)).toBe(1);
  });

  it("runs once beside its event too", async () => {
    const project = newProject({ cached: true });
    await project.configure([{ ...ONCE, command: "printf x >> ran", async: true }]);
    for (const tool_use_id of ["a", "b"]) await project.hook({ ...shellCall("ls"), tool_use_id });
    await expect.poll(() => project.journal().filter(({ type }) => type === "run").length).toBe(1);
    expect(ranIn(project)).toBe(1);
  });
});

it("a hook beside its event runs where there is no folder for temporary files", async () => {
  const project = newProject({ cached: true });
  const { once: _, ...later } = ONCE;
  await project.configure([{ ...later, command: "printf x >> ran", async: true }]);
  project.environment.TMPDIR = join(project.folder, "nowhere");
  await project.hook(shellCall("ls"));
  await expect.poll(() => project.journal().filter(({ type }) => type === "run").length).toBe(1);
  expect(ranIn(project)).toBe(1);
});

it("the ceiling on stops holds when the journal was put aside in between", async () => {
  const project = newProject({ cached: true });
  const hook = {
    name: "on",
    type: "command",
    command: "echo Go on. >&2; exit 2",
    matcher: { events: ["Stop"] },
  };
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
