import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stopHook } from "../../src/cli/commands/monitor/agent/stop.ts";
import { newProject, type Project } from "./support/project.ts";
import { inPlace } from "./support/run-cli.ts";

const payloadOf = ({ cwd }: Project, more: object): string =>
  JSON.stringify({ hook_event_name: "Stop", session_id: "s1", cwd, ...more });

/** What the hook of an agent that stops replies. */
async function replyTo(project: Project, more: object): Promise<object | undefined> {
  const { environment } = project;
  const payload = JSON.parse(payloadOf(project, more));
  return inPlace(project, () => stopHook(payload, { agent: "worker", environment, parent: 1 }));
}

const stop = async (project: Project, more: object): Promise<string> =>
  verdictOf(await replyTo(project, more));

function verdictOf(reply: object | undefined): string {
  const { decision, systemMessage } = { decision: undefined, systemMessage: undefined, ...reply };
  return decision ?? systemMessage ?? "ends";
}

const CEILING =
  "worker stops without having signalled that it is done (limits.stop_continuations): Stop hooks have kept this turn going 2 times; the limit is 2.";

async function signal({ run, environment }: Project, words: readonly string[], session?: string) {
  environment.CLAUDE_CODE_SESSION_ID = session;
  expect(await run(["emit", "agent:signal", "--agent", "worker", ...words])).toMatchObject({ code: 0 });
  delete environment.CLAUDE_CODE_SESSION_ID;
}

/** Gives the user a ceiling of two. */
function limited({ folder }: Project): void {
  mkdirSync(join(folder, "config/tenterhook"), { recursive: true });
  const file = join(folder, "config/tenterhook/hooks.yaml");
  writeFileSync(file, "hooks: { limits: { stop_continuations: 2 } }\n");
}

describe("tenterhook agent hook", () => {
  it("keeps an agent going in each of its turns", async () => {
    const project = newProject();
    limited(project);
    for (let turn = 0; turn < 4; turn += 1)
      expect(await stop(project, { stop_hook_active: false })).toBe("block");
  });

  it("keeps an agent going up to the ceiling of a turn, and says so when it lets it stop", async () => {
    const project = newProject();
    limited(project);
    const replies: string[] = [];
    for (const stop_hook_active of [false, true, true, false])
      replies.push(await stop(project, { prompt_id: "p1", stop_hook_active }));
    expect(replies).toEqual(["block", "block", CEILING, CEILING]);
    expect(await stop(project, { prompt_id: "p2", stop_hook_active: false })).toBe("block");
    const older: string[] = [];
    for (const stop_hook_active of [false, true, true, false])
      older.push(await stop(project, { session_id: "s2", stop_hook_active }));
    expect(older).toEqual(["block", "block", CEILING, "block"]);
  });

  it("leaves an agent alone that somebody else keeps going", async () => {
    const project = newProject();
    expect(await stop(project, { stop_hook_active: true })).toBe("ends");
    expect(await stop(project, { stop_hook_active: false })).toBe("block");
    expect(await stop(project, { session_id: undefined, stop_hook_active: true })).toBe("ends");
  });

  it("lets an agent stop when it has signalled that it is done, in that session only", async () => {
    const project = newProject();
    expect(await stop(project, { session_id: "a", stop_hook_active: false })).toBe("block");
    await signal(project, ["complete"], "a");
    expect(await stop(project, { session_id: "a", stop_hook_active: true })).toBe("ends");
    expect(await stop(project, { session_id: "b", stop_hook_active: false })).toBe("block");
    await signal(project, ["complete", "--session", "b"]);
    await signal(project, ["continue"], "a");
    expect(await stop(project, { session_id: "b", stop_hook_active: true })).toBe("ends");
    expect(await stop(project, { session_id: "a", stop_hook_active: false })).toBe("block");
  });

  it("asks again in the next turn of a session that was done", async () => {
    const project = newProject();
    await signal(project, ["complete"], "a");
    expect(await stop(project, { session_id: "a", stop_hook_active: false })).toBe("ends");
    expect(await stop(project, { session_id: "a", stop_hook_active: false })).toBe("block");
    await signal(project, ["complete"], "a");
    expect(await stop(project, { session_id: "a", stop_hook_active: true })).toBe("ends");
  });

  it("takes a signal without a session for the session that the agent was last seen in", async () => {
    const project = newProject();
    await signal(project, ["complete"]);
    expect(await stop(project, { session_id: "a", stop_hook_active: false })).toBe("ends");
    expect(await stop(project, { session_id: "b", stop_hook_active: false })).toBe("block");
    await signal(project, ["complete"]);
    expect(await stop(project, { session_id: "b", stop_hook_active: true })).toBe("ends");
    expect(await stop(project, { session_id: "c", stop_hook_active: false })).toBe("block");
  });

  it("names the session in the command that it asks the agent to run", async () => {
    const project = newProject();
    const reply = await replyTo(project, { session_id: "s-1", stop_hook_active: false });
    expect({ reason: "", ...reply }.reason).toContain(
      "When the task is done: tenterhook emit agent:signal --agent worker complete --session s-1.",
    );
  });

  it("holds the ceiling of the configuration in one turn", async () => {
    const project = newProject();
    limited(project);
    const replies: string[] = [];
    for (const prompt_id of ["p1", "p1", "p1", "p2"])
      replies.push(await stop(project, { prompt_id, stop_hook_active: false }));
    expect(replies).toEqual(["block", "block", CEILING, "block"]);
    const others: string[] = [];
    for (let time = 0; time < 3; time += 1) others.push(await stop(project, { session_id: "s2" }));
    expect(others).toEqual(["block", "block", CEILING]);
  });
});
