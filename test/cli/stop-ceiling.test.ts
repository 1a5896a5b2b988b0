import { appendFileSync, chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hookServer } from "./support/hook-server.ts";
import { newProject, type Project, shellCall } from "./support/project.ts";

/** A project whose hook never lets an agent stop, and a ceiling of two. */
async function endless(events: readonly string[] = ["Stop"]): Promise<Project> {
  const project = newProject({ decidesHere: true });
  const { asks } = await hookServer(() => ({ action: "deny", reason: "Not yet." }));
  const hook = { name: "done", ...asks, matcher: { events } };
  await project.configure([hook], { limits: { stop_continuations: 2 } });
  return project;
}

async function stop(project: Project, more: object): Promise<string> {
  const { stdout, code } = await project.hook({ hook_event_name: "Stop", ...more });
  return code === 2 || stdout.includes('"block"') ? "goes on" : "ends";
}

describe("the ceiling of a turn", () => {
  it("holds for the rest of the turn when somebody else keeps the agent going after it", async () => {
    const project = await endless();
    const replies = [await stop(project, { stop_hook_active: false })];
    for (let time = 0; time < 5; time += 1) replies.push(await stop(project, { stop_hook_active: true }));
    expect(replies).toEqual(["goes on", "goes on", "ends", "ends", "ends", "ends"]);
    expect(await stop(project, { stop_hook_active: false })).toBe("goes on");
  });

  it("the ceiling of a turn begins anew with a prompt", async () => {
    const project = await endless(["Stop", "UserPromptSubmit"]);
    for (let time = 0; time < 3; time += 1) await stop(project, { stop_hook_active: true });
    expect(await stop(project, { stop_hook_active: true })).toBe("ends");
    await project.hook({ hook_event_name: "UserPromptSubmit", prompt: "More." });
    expect(await stop(project, { stop_hook_active: true })).toBe("goes on");
  });

  it.each([true, false])(
    "holds in Gemini CLI, which makes a prompt of the reason and says that it was continued: %s",
    async (stop_hook_active) => {
      const project = await endless(["Stop", "UserPromptSubmit"]);
      const replies: string[] = [];
      for (let time = 0; time < 4; time += 1) {
        const tool_use_id = `${time}`;
        const { stdout } = await project.hook({
          hook_event_name: "AfterAgent",
          stop_hook_active,
          tool_use_id,
        });
        replies.push(stdout.includes('"deny"') ? "goes on" : "ends");
        const prompt = time < 2 ? "Not yet." : "Something else.";
        await project.hook({ hook_event_name: "BeforeAgent", prompt, tool_use_id });
      }
      expect(replies).toEqual(["goes on", "goes on", "ends", "goes on"]);
    },
  );

  it("holds however long the id of the session is", async () => {
    const project = await endless();
    const replies: string[] = [];
    for (let time = 0; time < 3; time += 1)
      replies.push(await stop(project, { session_id: "s".repeat(600), stop_hook_active: time > 0 }));
    expect(replies).toEqual(["goes on", "goes on", "ends"]);
  });

  it("is counted from the last stop that passed where an agent does not say when a turn began", async () => {
    const project = await endless();
    const replies: string[] = [];
    for (let time = 0; time < 4; time += 1) replies.push(await stop(project, {}));
    expect(replies).toEqual(["goes on", "goes on", "ends", "goes on"]);
  });

  it("lets a loop with tool calls in it go on up to the user's limit, and names the limit when it ends it", async () => {
    const project = newProject({ decidesHere: true });
    const matcher = { events: ["Stop", "PreToolUse"] };
    const { asks } = await hookServer(({ hook_event_name }) =>
      hook_event_name === "Stop" ? { action: "deny", reason: "Next." } : undefined,
    );
    await project.configure([{ name: "loop", ...asks, matcher }]);
    mkdirSync(join(project.folder, "config/tenterhook"), { recursive: true });
    writeFileSync(
      join(project.folder, "config/tenterhook/hooks.yaml"),
      "hooks: { limits: { stop_continuations: 4 } }",
    );
    const replies: string[] = [];
    for (let time = 0; time < 4; time += 1) {
      replies.push(await stop(project, { stop_hook_active: time > 0 }));
      await project.hook({ ...shellCall("ls"), tool_use_id: `t${time}` });
    }
    expect(replies).toEqual(Array(4).fill("goes on"));
    const { stdout } = await project.hook({ hook_event_name: "Stop", stop_hook_active: true });
    expect(JSON.parse(stdout)).toEqual({
      systemMessage:
        "A limit stopped the hooks (limits.stop_continuations): Stop hooks have kept this turn going 4 times; the limit is 4.",
    });
  });

  it("is counted however much is recorded between two stops", async () => {
    const project = await endless();
    const journal = join(project.folder, "state/tenterhook/journal/s1.jsonl");
    const replies: string[] = [];
    for (let time = 0; time < 3; time += 1) {
      replies.push(await stop(project, { stop_hook_active: time > 0 }));
      // Calls of tools, as far as the count is concerned.
      appendFileSync(journal, `${"x".repeat(999)}\n`.repeat(3900));
    }
    expect(replies).toEqual(["goes on", "goes on", "ends"]);
  });

  it("ends the turn when its continuations can't be counted, and says so", async () => {
    const project = await endless();
    await project.hook({ hook_event_name: "Stop", stop_hook_active: false });
    project.environment.XDG_STATE_HOME = join(project.folder, "locked");
    writeFileSync(project.environment.XDG_STATE_HOME, "");
    const { asks } = await hookServer(() => ({ action: "deny", reason: "More." }));
    const more = { name: "more", ...asks, matcher: { events: ["Stop"] } };
    mkdirSync(join(project.folder, "config/tenterhook"), { recursive: true });
    writeFileSync(
      join(project.folder, "config/tenterhook/hooks.yaml"),
      JSON.stringify({ hooks: { definitions: [more] } }),
    );
    chmodSync(project.environment.XDG_STATE_HOME, 0o400);
    const { stdout, code } = await project.hook({
      hook_event_name: "Stop",
      stop_hook_active: false,
      cwd: "/",
    });
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      { systemMessage: expect.stringContaining("can't be written, so continuations can't be counted") },
    ]);
  });
});

describe("a hook that is asked once", () => {
  it("is asked once for each of its events", async () => {
    const project = newProject({ decidesHere: true });
    const events = ["SessionStart", "UserPromptSubmit"];
    const { asks } = await hookServer();
    await project.configure([{ name: "once", ...asks, once: true, matcher: { events } }]);
    const runs: unknown[] = [];
    const names = ["SessionStart", "UserPromptSubmit", "UserPromptSubmit", "SessionStart"];
    for (const [at, hook_event_name] of names.entries())
      await project.hook({ hook_event_name, source: "startup", prompt: "Go.", tool_use_id: `t${at}` });
    for (const { event, runs: ran } of project.journal())
      runs.push([Reflect.get(Object(event), "hook_event_name"), Array.isArray(ran) ? ran.length : 0]);
    expect(runs).toEqual([
      ["SessionStart", 1],
      ["UserPromptSubmit", 1],
      ["UserPromptSubmit", 0],
      ["SessionStart", 0],
    ]);
  });
});
