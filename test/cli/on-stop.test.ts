import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { projectDaemon } from "../monitor/support/test-daemon.ts";
import { hookServer } from "./support/hook-server.ts";
import { agents, openDecisions, stop, stopping } from "./support/on-stop.ts";
import { newProject } from "./support/project.ts";

it("on_stop of some agents holds for those alone, by their name or program", async () => {
  const project = newProject({ decidesHere: true });
  const nudge = (message: string) => ({ on_stop: { action: "nudge", message } });
  const monitor = { agents: { "reviewer*": nudge("Review it all."), claude: nudge("Test it.") } };
  project.write("../config/tenterhook/hooks.yaml", stringify({ monitor }));
  await projectDaemon(project);
  project.environment.TENTERHOOK_AGENT_ID = "reviewer-1";
  expect(await stop(project)).toEqual({ decision: "block", reason: "Review it all." });
  project.environment.TENTERHOOK_AGENT_ID = "worker-1";
  expect(await stop(project)).toEqual({ decision: "block", reason: "Test it." });
});

describe("on_stop: nudge", () => {
  it("keeps the agent going with the message, as often as it may, and then asks a human", async () => {
    const project = await stopping({ action: "nudge", message: "Run the tests first.", attempts: 2 });
    expect(await stop(project)).toEqual({ decision: "block", reason: "Run the tests first." });
    expect(await stop(project, true)).toEqual({ decision: "block", reason: "Run the tests first." });
    expect(await agents(project)).toMatchObject([{ state: "working", attempts: { on_stop: { count: 2 } } }]);
    expect(await stop(project, true)).toEqual({});
    expect(await agents(project)).toMatchObject([{ state: "idle" }]);
    expect(await openDecisions(project)).toMatchObject([
      { source: "idle", context: "The monitor kept it going 2 times." },
    ]);
    // A new turn has all attempts again.
    expect(await stop(project)).toMatchObject({ decision: "block" });
  });

  it("has the ceilings of a turn, also with attempts: forever", async () => {
    const project = await stopping({ action: "nudge", message: "Go on.", attempts: "forever" });
    await project.configure([], { limits: { stop_continuations: 1 } });
    expect(await stop(project)).toMatchObject({ decision: "block" });
    expect(await stop(project, true)).toEqual({
      systemMessage: expect.stringContaining("the limit is 1"),
    });
  });

  it("leaves alone an agent that another hook keeps going", async () => {
    const project = await stopping("escalate");
    const { asks } = await hookServer(() => ({ decision: "block", reason: "Not yet." }));
    await project.configure([{ name: "more", ...asks, matcher: { events: ["Stop"] } }]);
    expect(await stop(project)).toMatchObject({ decision: "block", reason: "Not yet." });
    expect(await openDecisions(project)).toEqual([]);
  });
});

describe("on_stop: auto, escalate and done", () => {
  it("auto keeps the agent going until it says how it stands", async () => {
    const project = await stopping("auto");
    expect(await stop(project)).toMatchObject({
      decision: "block",
      reason: expect.stringContaining("tenterhook emit agent:signal --agent s1 complete --session s1"),
    });
    await project.run(["emit", "agent:signal", "--agent", "s1", "--session", "s1", "complete"]);
    expect(await stop(project, true)).toEqual({});
    expect(await agents(project)).toMatchObject([{ state: "idle", outcome: "done" }]);
    // What it said about its last task says nothing about the next one.
    await project.hook({ hook_event_name: "UserPromptSubmit", prompt: "And now the docs." });
    expect(await stop(project)).toMatchObject({ decision: "block" });
  });

  it("escalate lets it stop and asks a human; done takes its work as done", async () => {
    const asks = await stopping("escalate");
    expect(await stop(asks)).toEqual({});
    expect(await openDecisions(asks)).toMatchObject([
      { source: "idle", options: [{ label: "continue" }, { label: "done" }, { label: "cancel" }] },
    ]);
    const done = await stopping("done");
    expect(await stop(done)).toEqual({});
    expect(await agents(done)).toMatchObject([{ state: "idle", outcome: "done" }]);
  });
});
