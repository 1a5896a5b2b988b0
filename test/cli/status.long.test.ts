import { spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import { appendToSpool } from "../../src/monitor/report/spool.ts";
import type { EventType } from "../../src/shared/monitor/events.ts";
import { projectDaemon } from "../monitor/support/test-daemon.ts";
import { kill } from "../support/faults/kill.ts";
import { endAfterTest, eventually } from "../support/processes.ts";
import { json, states, watchedProject } from "./support/watched-project.ts";

describe("tenterhook agents", () => {
  it("shows an agent whose process was killed as gone, and dismisses what it asked", async () => {
    const project = watchedProject({ on_prompt: "escalate" });
    await projectDaemon(project);
    const agent = spawn("sleep", ["300"]);
    endAfterTest(agent);
    const report = (type: EventType, fields: object) =>
      appendToSpool({ type, agent_id: "w1", session_id: "s1", ...fields }, project.environment);
    report("agent:start", { agent_pid: agent.pid });
    report("agent:prompt", { prompt_type: "question", question: "Which?" });
    expect(await states(project)).toEqual({ w1: "prompting" });
    kill(agent);
    await eventually(async () => expect(await states(project)).toEqual({ w1: "gone" }));
    const { decisions } = await json(project, "inbox", "--all");
    expect(decisions).toEqual([expect.objectContaining({ state: "dismissed", agent_id: "w1" })]);
  });
});
